// The page of keys and tokens: what is in the vault, whether it works, and what lies outside of it in plain text.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Page } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { Ticking } from "../../state/ticking.ts";
import { renderCard, type CardWorld, type CredentialAction } from "./credential-card.ts";
import type { Credential } from "./new-credential.ts";
import { renderPlain } from "./plain-secrets.ts";
import { renderWaiting } from "./waiting.ts";
import "./add-dialog.ts";
import "./page.css";

type CredentialList = MethodAnswer<"credentials.list">;

/** "3 minutes ago" grows old. */
const TICK_MS = 30_000;

class CredentialsPage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    isAdding: { state: true },
    replaces: { state: true },
    checking: { state: true },
    doubts: { state: true },
    isMoving: { state: true },
  };
  declare isAdding: boolean;
  declare replaces: Credential | undefined;
  /** Those that a service is being asked about. */
  declare checking: ReadonlySet<string>;
  /** Why a check told nothing, by id. */
  declare doubts: ReadonlyMap<string, string>;
  declare isMoving: boolean;
  readonly #list = this.asking(() => ({
    method: "credentials.list",
    params: {},
    topics: ["credentials", "config"],
  }));

  constructor() {
    super();
    this.isAdding = false;
    this.isMoving = false;
    this.checking = new Set();
    this.doubts = new Map();
    this.addController(new Ticking(this, TICK_MS));
  }

  override render(): TemplateResult {
    const words = this.words("credentials");
    const retry = { label: this.words("app").retry, run: () => this.#list.again() };
    return html`<header class="page-head">
        <div>
          <h1>${this.pageTitle("credentials")}</h1>
          <p class="hint">${words.intro}</p>
        </div>
        <button class="button primary" @click=${() => this.#add()}>${icon("plus")}${words.add}</button>
      </header>
      ${renderAsked(this.#list.state, (list) => this.#renderList(list), retry)}
      <chela-credentials-add
        .world=${this.world}
        .isOpen=${this.isAdding}
        .replaces=${this.replaces}
        .taken=${new Set(this.#list.value?.credentials.map(({ id }) => id))}
        @dialog-close=${() => (this.isAdding = false)}
        @credential-kept=${({ detail }: CustomEvent<string>) => void this.#verify(detail)}
      ></chela-credentials-add>`;
  }

  #renderList({ credentials, plain, missing, key }: CredentialList): TemplateResult {
    const words = this.words("credentials");
    const world = this.#cardWorld();
    return html`<div class="credentials-sections">
      ${
        plain.length > 0
          ? renderPlain(plain, { words, isMoving: this.isMoving, move: () => void this.#move(plain.length) })
          : nothing
      }
      ${
        credentials.length === 0
          ? this.#renderEmpty()
          : html`<ul class="cards" aria-label=${words.list}>
              ${repeat(
                credentials,
                ({ id }) => id,
                (credential) => renderCard(credential, world),
              )}
            </ul>`
      }
      ${missing.length > 0 ? renderWaiting(missing, { world: this.world, words }) : nothing}
      ${
        key
          ? html`<footer class="credentials-key">
              ${icon("key")}
              <p class="hint">${words[`keyKept_${key}`]}</p>
              <button class="button small" @click=${() => void this.#rotate()}>${icon("retry")}${words.rotate}</button>
            </footer>`
          : nothing
      }
    </div>`;
  }

  #renderEmpty(): TemplateResult {
    const words = this.words("credentials");
    return html`<section class="card empty">
      <span class="credentials-empty-icon">${icon("key")}</span>
      <h2>${words.emptyTitle}</h2>
      <p class="credentials-empty-words">${words.emptyText}</p>
      <button class="button primary" @click=${() => this.#add()}>${words.addFirst}</button>
    </section>`;
  }

  #cardWorld(): CardWorld {
    return {
      words: this.words("credentials"),
      format: this.world.words,
      hasHistory: this.world.wire.has("audit.list"),
      isChecking: (id) => this.checking.has(id),
      doubtOf: (id) => this.doubts.get(id),
      act: (action, credential) => void this.#act(action, credential),
    };
  }

  async #act(action: CredentialAction, credential: Credential): Promise<void> {
    const { id } = credential;
    switch (action) {
      case "verify":
        return this.#verify(id);
      case "copy": {
        const copy = () => navigator.clipboard.writeText(`vault:${id}`);
        return void (await this.attempt(copy, this.words("credentials").referenceCopied));
      }
      case "replace":
        return this.#add(credential);
      case "history":
        return this.world.router.go("audit", [], { action: "credential", text: id });
      case "remove":
        return this.#remove(credential);
    }
  }

  #add(replaces?: Credential): void {
    this.replaces = replaces;
    this.isAdding = true;
  }

  /** Also what was just kept: a wrong key is best noticed while one remembers where it came from. */
  async #verify(id: string): Promise<void> {
    const words = this.words("credentials");
    this.checking = new Set([...this.checking, id]);
    this.#doubt(id, undefined);
    await this.attempt(async () => {
      const { status, why = "" } = await this.world.wire.call("credentials.verify", { id });
      if (status === "verified") this.world.notices.say(words.worked(id));
      if (status === "failed") this.world.notices.complain(words.refused(id, why));
      if (status === "unverified") this.#doubt(id, why);
    });
    this.checking = new Set([...this.checking].filter((one) => one !== id));
  }

  #doubt(id: string, why: string | undefined): void {
    const others = [...this.doubts].filter(([one]) => one !== id);
    this.doubts = new Map(why ? [...others, [id, why]] : others);
  }

  async #remove({ id, kind, usedBy }: Credential): Promise<void> {
    const words = this.words("credentials");
    const used = usedBy.length > 0 ? [words.removeUsed(usedBy.join(", "))] : [];
    const text = [...used, kind === "value" ? words.removeText : words.removePointer].join(" ");
    const question = { title: words.removeTitle(id), text, yes: words.remove, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    const params = { id, ...(usedBy.length > 0 ? { force: true } : {}) };
    await this.attempt(() => this.world.wire.call("credentials.remove", params), words.removed(id));
  }

  async #rotate(): Promise<void> {
    const { rotateTitle: title, rotateText: text, rotateYes: yes, rotated } = this.words("credentials");
    if (!(await this.world.notices.ask({ title, text, yes }))) return;
    await this.attempt(async () => {
      const { values } = await this.world.wire.call("credentials.rotate", {});
      this.world.notices.say(rotated(values));
    });
  }

  async #move(count: number): Promise<void> {
    const { moveTitle, moveText: text, move: yes, moved } = this.words("credentials");
    if (!(await this.world.notices.ask({ title: moveTitle(count), text, yes }))) return;
    this.isMoving = true;
    await this.attempt(async () => {
      const answer = await this.world.wire.call("credentials.import", {});
      this.world.notices.say(moved(answer.moved.length));
    });
    this.isMoving = false;
  }
}

customElements.define("chela-credentials-page", CredentialsPage);
