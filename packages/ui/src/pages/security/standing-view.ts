// The sandboxes that stand: whose they are, when they were used, and the button that sets them up anew.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { KnownNames } from "../../state/known-names.ts";
import { readScope, type SandboxScope } from "../../state/sandbox-scope.ts";
import { shortKey } from "../../state/session-title.ts";
import { Ticking } from "../../state/ticking.ts";

type Standing = MethodAnswer<"sandbox.status">["standing"][number];
type Which = MethodParams<"sandbox.recreate">;

interface StandingRow {
  readonly one: Standing;
  readonly scope: SandboxScope;
}

const MINUTE_MS = 60_000;

/** `<chela-security-standing .world .standing>` */
class StandingSandboxes extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    standing: { attribute: false },
    isBusy: { state: true },
  };
  declare standing: readonly Standing[];
  declare isBusy: boolean;
  readonly #names = new KnownNames(this, () => this.world);

  constructor() {
    super();
    this.isBusy = false;
    this.addController(new Ticking(this, MINUTE_MS));
  }

  override render(): TemplateResult {
    const words = this.words("security");
    const rows = this.#rows;
    return html`<div class="security-group">
      <div class="security-head">
        <h3>${words.standing}</h3>
        ${
          rows.length > 1 && this.#mayChange
            ? html`<button
                class="button quiet small"
                ?disabled=${this.isBusy}
                @click=${() => void this.#recreate({ all: true }, words.anewTextAll)}
              >
                ${words.anewAll}
              </button>`
            : nothing
        }
      </div>
      ${rows.length > 0 ? this.#renderList(rows) : html`<p class="muted">${words.nothingStands}</p>`}
    </div>`;
  }

  /** What the gateway sets up to try itself is nobody's, and gone in a moment. */
  get #rows(): StandingRow[] {
    return this.standing.flatMap((one) => {
      const scope = readScope(one.scope);
      return scope ? [{ one, scope }] : [];
    });
  }

  get #mayChange(): boolean {
    return this.world.wire.has("sandbox.recreate");
  }

  #renderList(rows: readonly StandingRow[]): TemplateResult {
    return html`<ul class="security-list">
      ${repeat(
        rows,
        ({ one }) => `${one.backend} ${one.name}`,
        (row) => this.#renderRow(row),
      )}
    </ul>`;
  }

  #renderRow({ one, scope }: StandingRow): TemplateResult {
    const words = this.words("security");
    const whose = this.#whose(scope);
    const isNew = Date.now() - one.lastUsedAt < MINUTE_MS;
    const used = words.lastUsed(isNew ? words.justNow : this.world.words.ago(one.lastUsedAt));
    return html`<li class="security-standing">
      <div>
        <p class="row wrap">
          ${scope.kind === "session" ? html`<a href=${writeRoute("chat", [scope.of])}>${whose}</a>` : html`<strong>${whose}</strong>`}
          ${one.isOutdated ? html`<span class="badge warn" title=${words.outdatedHow}>${words.outdated}</span>` : nothing}
        </p>
        <p class="hint">
          ${words[`access_${scope.access}`]} · ${words[`backend_${one.backend}`]} ·
          <span title=${this.world.words.date(one.lastUsedAt)}>${used}</span>
        </p>
      </div>
      ${this.#mayChange ? this.#renderAnew(scope, whose) : nothing}
    </li>`;
  }

  #renderAnew(scope: SandboxScope, whose: string): TemplateResult {
    const words = this.words("security");
    return html`<button
      class="button small"
      aria-label=${words.anewThis(whose)}
      ?disabled=${this.isBusy}
      @click=${() => void this.#recreate(...this.#wishFor(scope))}
    >
      ${words.anew}
    </button>`;
  }

  #whose({ kind, of }: SandboxScope): string {
    const words = this.words("security");
    if (kind === "shared") return words.scope_shared;
    return kind === "agent" ? words.scope_agent(this.#names.agent(of)) : words.scope_session(shortKey(of));
  }

  /** One that all share can only be named by naming all. */
  #wishFor({ kind, of }: SandboxScope): [which: Which, text: string] {
    const words = this.words("security");
    if (kind === "session") return [{ sessionKey: of }, words.anewText];
    return kind === "agent" ? [{ agentId: of }, words.anewTextAll] : [{ all: true }, words.anewTextAll];
  }

  async #recreate(which: Which, text: string): Promise<void> {
    const words = this.words("security");
    const question = { title: words.anewTitle, text, yes: words.anew, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    this.isBusy = true;
    await this.attempt(async () => {
      const { removed } = await this.world.wire.call("sandbox.recreate", which);
      this.world.notices.say(words.anewDone(removed));
    });
    this.isBusy = false;
  }
}

customElements.define("chela-security-standing", StandingSandboxes);
