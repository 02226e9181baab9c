// Tries to break out of the sandbox when somebody asks for it, and shows how many attempts it held.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";

type Tested = MethodAnswer<"sandbox.selftest">["backends"][number];

class SelfTest extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    isTesting: { state: true },
    tested: { state: true },
  };
  declare isTesting: boolean;
  /** Those that could be tried. */
  declare tested: readonly Tested[] | undefined;

  constructor() {
    super();
    this.isTesting = false;
  }

  override render(): TemplateResult {
    const words = this.words("security");
    return html`<div class="security-group">
      <div class="security-head">
        <div>
          <h3>${words.test}</h3>
          <p class="hint">${words.testHow}</p>
        </div>
        <button class="button small" ?disabled=${this.isTesting} @click=${() => void this.#test()}>
          ${icon("security")}${this.tested ? words.testAgain : words.testStart}
        </button>
      </div>
      <div role="status">${this.isTesting ? this.#renderTesting() : this.#renderResult()}</div>
    </div>`;
  }

  #renderTesting(): TemplateResult {
    return html`<p class="security-testing"><i></i>${this.words("security").testing}</p>`;
  }

  #renderResult(): TemplateResult | typeof nothing {
    if (!this.tested) return nothing;
    if (this.tested.length === 0) return html`<p class="muted">${this.words("security").nothingToTest}</p>`;
    return html`<ul class="security-list">
      ${this.tested.map((one) => this.#renderTested(one))}
    </ul>`;
  }

  #renderTested({ id, held, tried, escapes, skipped }: Tested): TemplateResult {
    const words = this.words("security");
    const { words: format } = this.world;
    return html`<li class="security-tested">
      <p class="row wrap">
        <strong>${words[`backend_${id}`]}</strong>
        <span class="badge ${held < tried ? "bad" : "good"}"
          >${words.held(format.number(held), format.number(tried))}</span
        >
      </p>
      ${
        escapes.length > 0
          ? html`<ul class="security-escapes" aria-label=${words.gotOut}>
              ${escapes.map(
                ({ name, what }) =>
                  html`<li>
                    ${icon("warning")}<span><strong>${name}</strong> ${what}</span>
                  </li>`,
              )}
            </ul>`
          : nothing
      }
      ${
        skipped.length > 0
          ? html`<details class="security-more">
              <summary>${words.skipped(skipped.length)}</summary>
              <p class="hint">${skipped.join(", ")}</p>
            </details>`
          : nothing
      }
    </li>`;
  }

  /** Whoever went elsewhere meanwhile is told how it ended, too. */
  async #test(): Promise<void> {
    const words = this.words("security");
    const { wire, notices } = this.world;
    this.isTesting = true;
    await this.attempt(async () => {
      const { backends } = await wire.call("sandbox.selftest", {});
      const tested = backends.filter(({ check }) => check.kind === "ready");
      this.tested = tested;
      const open = tested.reduce((sum, { tried, held }) => sum + tried - held, 0);
      if (open > 0) notices.complain(new Error(words.testOpen(open)));
      else if (tested.length > 0) notices.say(words.testHeld);
    });
    this.isTesting = false;
  }
}

customElements.define("chela-security-self-test", SelfTest);
