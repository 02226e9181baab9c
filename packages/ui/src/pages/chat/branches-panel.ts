// The ways a conversation went: its branches and checkpoints, and how to get from one to another.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import "../../parts/dialog.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import type { Renaming } from "../../parts/rename-dialog.ts";
import { Watching } from "../../state/live.ts";
import type { Conversation } from "./conversation.ts";
import "../../parts/menu.ts";
import "../../parts/rename-dialog.ts";
import "./branches-panel.css";

type Tree = MethodAnswer<"sessions.branches">;

const LONGEST_NAME = 64;

/** `<chela-branches-panel .world .conversation .isOpen @dialog-close>` */
class BranchesPanel extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    isOpen: { attribute: false },
    renaming: { state: true },
  };
  declare conversation: Conversation;
  declare isOpen: boolean;
  declare renaming: Renaming | undefined;
  readonly #watching = new Watching(this);
  readonly #tree = this.asking(() =>
    this.isOpen && this.#hasSession
      ? { method: "sessions.branches", params: { key: this.conversation.key }, topics: ["sessions"] }
      : undefined,
  );
  #stops: Array<() => void> = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const askAgain = ({ sessionKey }: { readonly sessionKey: string }): void => {
      if (sessionKey === this.conversation.key) this.#tree.again();
    };
    this.#stops = [
      this.world.wire.on("session.moved", askAgain),
      this.world.wire.on("session.entries", (event) => this.isOpen && askAgain(event)),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  override render(): TemplateResult {
    if (this.isOpen) this.#watching.show(this.conversation.state);
    return html`<chela-dialog
        .isOpen=${this.isOpen}
        label=${this.words("conversation").branches}
        closeLabel=${this.words("app").close}
        .content=${() => this.#renderContent()}
        @dialog-close=${() => this.#close()}
      ></chela-dialog>
      <chela-rename
        .world=${this.world}
        .renaming=${this.renaming}
        @dialog-close=${() => (this.renaming = undefined)}
      ></chela-rename>`;
  }

  get #hasSession(): boolean {
    return this.conversation.state.value.sessionId !== undefined;
  }

  get #isBusy(): boolean {
    return this.conversation.state.value.runs.length > 0;
  }

  #renderContent(): TemplateResult {
    const words = this.words("conversation");
    if (!this.#hasSession) return html`<p class="empty">${words.branchesEmpty}</p>`;
    return html`<div class="chat-branches">
      <p class="muted">${words.branchesHint}</p>
      ${this.#isBusy ? html`<p class="banner warn" role="status">${words.branchesBusy}</p>` : nothing}
      ${renderAsked(this.#tree.state, (tree) => this.#renderTree(tree), {
        label: this.words("app").retry,
        run: () => this.#tree.again(),
      })}
    </div>`;
  }

  #renderTree(tree: Tree): TemplateResult {
    return html`${this.#renderBranches(tree)} ${this.#renderCheckpoints(tree)} ${this.#renderNaming()}
    ${this.#renderRewind()}`;
  }

  #renderBranches({ branches }: Tree): TemplateResult {
    const words = this.words("conversation");
    return html`<section>
      <h3>${words.allBranches}</h3>
      <p class="hint">${words.allBranchesHint}</p>
      <ol class="chat-branch-list">
        ${branches.map((branch) => {
          const preview = branch.preview || words.unnamedBranch;
          return html`<li ?data-active=${branch.isActive} aria-current=${branch.isActive ? "true" : nothing}>
            <span class="chat-branch-words">
              <span class="cut" title=${preview}>${preview}</span>
              <span class="hint">
                ${this.#renderTime(branch.timestamp)}
                ${branch.labels.map((label) => html`<span class="badge info">${icon("flag")}${label}</span>`)}
              </span>
            </span>
            ${
              branch.isActive
                ? html`<span class="badge good">${words.current}</span>`
                : this.#renderGo(words.switch, words.switchTo(preview), () => this.#switch(branch.entryId))
            }
          </li>`;
        })}
      </ol>
    </section>`;
  }

  #renderCheckpoints({ checkpoints }: Tree): TemplateResult | typeof nothing {
    const words = this.words("conversation");
    if (checkpoints.length === 0) return nothing;
    return html`<section>
      <h3>${words.checkpoints}</h3>
      <p class="hint">${words.checkpointsHint}</p>
      <ul class="chat-checkpoint-list">
        ${checkpoints.map(
          ({ label, entryId, timestamp }) =>
            html`<li>
              ${icon("flag")}
              <span class="chat-branch-words">
                <span class="cut" title=${label}>${label}</span>
                <span class="hint">${this.#renderTime(timestamp)}</span>
              </span>
              ${this.#renderGo(words.goBack, words.goBackTo(label), () => this.#rewind({ to: entryId }))}
              ${this.world.wire.has("sessions.checkpoint.patch") ? this.#renderMore(label) : nothing}
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #renderMore(name: string): TemplateResult {
    const words = this.words("conversation");
    const choices: MenuChoice[] = [
      { id: "rename", label: words.checkpointRename, icon: "edit" },
      { id: "remove", label: words.checkpointRemove, icon: "trash", isDangerous: true },
    ];
    return html`<chela-menu
      label=${words.checkpointMore(name)}
      .icon=${"more"}
      .choices=${choices}
      @menu-choose=${({ detail }: CustomEvent<MenuChoice>) =>
        detail.id === "rename" ? this.#askName(name) : void this.#remove(name)}
    ></chela-menu>`;
  }

  #askName(name: string): void {
    const words = this.words("conversation");
    this.renaming = {
      title: words.checkpointRenameTitle,
      label: words.checkpointName,
      hint: words.checkpointRenameHint,
      current: name,
      longest: LONGEST_NAME,
      save: async (to) => {
        await this.#patch(name, to);
        this.world.notices.say(words.checkpointRenamed(to));
      },
    };
  }

  /** The name can be given again, so nobody is asked. */
  async #remove(name: string): Promise<void> {
    await this.attempt(() => this.#patch(name, null), this.words("conversation").checkpointRemoved(name));
  }

  async #patch(name: string, to: string | null): Promise<void> {
    await this.world.wire.call("sessions.checkpoint.patch", { key: this.conversation.key, name, to });
    this.#tree.again();
  }

  #renderNaming(): TemplateResult {
    const words = this.words("conversation");
    return html`<form @submit=${(event: SubmitEvent) => void this.#name(event)}>
      <h3>${words.nameHere}</h3>
      <p class="hint">${words.nameHereHint}</p>
      <div class="row">
        <input
          class="input"
          name="name"
          required
          maxlength=${LONGEST_NAME}
          autocomplete="off"
          aria-label=${words.checkpointName}
        />
        <button class="button">${icon("flag")}${words.checkpointSave}</button>
      </div>
    </form>`;
  }

  #renderRewind(): TemplateResult {
    const words = this.words("conversation");
    return html`<form @submit=${(event: SubmitEvent) => void this.#rewindBy(event)}>
      <h3>${words.rewindBy}</h3>
      <p class="hint">${words.rewindByHint}</p>
      <div class="row">
        <input
          class="input chat-rewind-count"
          name="turns"
          type="number"
          min="1"
          value="1"
          required
          aria-label=${words.rewindCount}
        />
        <button class="button" ?disabled=${this.#isBusy}>${icon("rewind")}${words.goBack}</button>
      </div>
    </form>`;
  }

  #renderGo(text: string, label: string, go: () => Promise<void>): TemplateResult {
    return html`<button class="button small" aria-label=${label} ?disabled=${this.#isBusy} @click=${() => void go()}>
      ${text}
    </button>`;
  }

  #renderTime(timestamp: string): TemplateResult {
    const ms = Date.parse(timestamp);
    const { words } = this.world;
    return html`<time datetime=${timestamp} title=${words.date(ms)}>${words.ago(ms)}</time>`;
  }

  async #name(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get("name") ?? "").trim();
    if (name === "") return;
    const { key } = this.conversation;
    const isDone = await this.attempt(async () => {
      await this.world.wire.call("sessions.checkpoint", { key, name });
      this.#tree.again();
    }, this.words("conversation").checkpointSaved(name));
    if (isDone) form.reset();
  }

  #switch(entryId: string): Promise<void> {
    const { key } = this.conversation;
    return this.#move(() => this.world.wire.call("sessions.switch", { key, to: entryId }));
  }

  #rewind(where: { readonly to: string } | { readonly turns: number }): Promise<void> {
    const { key } = this.conversation;
    return this.#move(() => this.world.wire.call("sessions.rewind", { key, ...where }));
  }

  async #rewindBy(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const turns = Number(new FormData(event.target as HTMLFormElement).get("turns"));
    if (Number.isInteger(turns) && turns > 0) await this.#rewind({ turns });
  }

  /** Every move can be taken back: the place one was at is still there. */
  async #move(go: () => Promise<unknown>): Promise<void> {
    const words = this.words("conversation");
    const { key } = this.conversation;
    const { wire, notices } = this.world;
    const was = this.#tree.value?.branches.find(({ isActive }) => isActive)?.entryId;
    if (!(await this.attempt(go))) return;
    const goBack = (): void => {
      if (was) void this.attempt(() => wire.call("sessions.switch", { key, to: was }));
    };
    notices.say(words.moved, was ? { label: words.undo, run: goBack } : undefined);
    this.#close();
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-branches-panel", BranchesPanel);
