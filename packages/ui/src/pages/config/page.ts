// The configuration: as a form made from its schema, and as the file it is.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodResult } from "@chela/sdk/protocol";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { draftsOf } from "../../settings/drafts.ts";
import { Watching } from "../../state/live.ts";
import { isObject } from "../../settings/json-place.ts";
import type { Refusal } from "./refusal.ts";
import "./form-view.ts";
import "./page.css";
import "./raw-view.ts";
import "./save-form.ts";

type LoadedConfig = MethodResult<"config.get">;

class ConfigPage extends Page {
  static override properties: PropertyDeclarations = { ...Page.properties, problems: { state: true } };
  declare problems: ReadonlyMap<string, string>;
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));
  readonly #reference = this.asking(() => ({ method: "config.schema", params: {}, topics: [] }));
  readonly #watching = new Watching(this);
  readonly #warn = (event: BeforeUnloadEvent): void => {
    const { form, raw } = draftsOf(this.world);
    if (form.isEdited || raw.isEdited) event.preventDefault();
  };

  constructor() {
    super();
    this.problems = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("beforeunload", this.#warn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("beforeunload", this.#warn);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const known = this.#config.value;
    // An answer that is being asked for again may be from before what was just saved.
    if (!known || (this.#config.state.kind === "here" && this.#config.state.isOld)) return;
    const { form, raw } = draftsOf(this.world);
    this.#watching.show(form.now, raw.now);
    form.offer(isObject(known.parsed) ? known.parsed : {}, known.hash);
    raw.offer(known.raw ?? "", known.hash);
  }

  override render(): TemplateResult {
    const words = this.words("config");
    const retry = { label: this.words("app").retry, run: () => this.#askAgain() };
    return html`<header class="page-head">
        <div>
          <h1>${this.pageTitle("config")}</h1>
          ${this.#config.value ? html`<p class="hint mono">${this.#config.value.path}</p>` : nothing}
        </div>
        <nav class="tabs" aria-label=${words.views}>
          <a href=${writeRoute("config")} aria-current=${this.#isRaw ? nothing : "page"}>${words.form}</a>
          <a href=${writeRoute("config", [], { tab: "raw" })} aria-current=${this.#isRaw ? "page" : nothing}>
            ${words.raw}
          </a>
        </nav>
      </header>
      ${renderAsked(this.#config.state, (known) => this.#renderKnown(known), retry)}`;
  }

  get #isRaw(): boolean {
    return this.route.query["tab"] === "raw";
  }

  #renderKnown(known: LoadedConfig): TemplateResult {
    return html`${this.#renderTrouble(known)} ${this.#renderElsewhere()}
    ${this.#isRaw ? this.#renderRaw() : this.#renderForm(known)}`;
  }

  /** The form and the text are edited apart: what is not saved in one is not in the other. */
  #renderElsewhere(): TemplateResult | typeof nothing {
    const words = this.words("config");
    const { form, raw } = draftsOf(this.world);
    const isThere = this.#isRaw ? form.isEdited : raw.isEdited;
    if (!isThere) return nothing;
    return html`<div class="banner warn config-trouble" role="status">
      ${icon("info")}
      <span>${this.#isRaw ? words.editedInForm : words.editedInRaw}</span>
      <a class="button small" href=${writeRoute("config", [], this.#isRaw ? {} : { tab: "raw" })}
        >${this.#isRaw ? words.openForm : words.openRaw}</a
      >
    </div>`;
  }

  #renderRaw(): TemplateResult {
    return html`<chela-config-raw .world=${this.world} @config-saved=${() => this.#config.again()}></chela-config-raw>`;
  }

  #renderForm(known: LoadedConfig): TemplateResult {
    const words = this.words("config");
    if (known.exists && !isObject(known.parsed)) {
      return html`<div class="empty">
        <p>${words.unreadable}</p>
        <a class="button" href=${writeRoute("config", [], { tab: "raw" })}>${words.openRaw}</a>
      </div>`;
    }
    const retry = { label: this.words("app").retry, run: () => this.#askAgain() };
    return renderAsked(
      this.#reference.state,
      (reference) =>
        html`<chela-config-form
            .world=${this.world}
            .route=${this.route}
            .reference=${reference}
            .problems=${this.problems}
          ></chela-config-form>
          <chela-config-save
            .world=${this.world}
            .reference=${reference}
            @config-saved=${() => this.#config.again()}
            @config-refused=${(event: CustomEvent<Refusal | undefined>) => this.#refused(event.detail)}
          ></chela-config-save>`,
      retry,
    );
  }

  /** The file has mistakes, or another version is in use. */
  #renderTrouble(known: LoadedConfig): TemplateResult | typeof nothing {
    const words = this.words("config");
    if (known.valid && known.source !== "last-good") return nothing;
    const [first] = known.issues;
    return html`<div class="banner bad config-trouble" role="alert">
      ${icon("warning")}
      <div>
        <p>${known.source === "last-good" ? words.usesLastGood : words.hasMistakes}</p>
        ${first ? html`<p><code>${first.path}</code> ${first.message}</p>` : nothing}
      </div>
      ${
        this.#isRaw
          ? nothing
          : html`<a class="button small" href=${writeRoute("config", [], { tab: "raw" })}>${words.openRaw}</a>`
      }
    </div>`;
  }

  #refused(refusal: Refusal | undefined): void {
    this.problems = new Map(refusal?.issues.map(({ path, message }) => [path, message]));
    if (refusal?.isConflict) this.#config.again();
  }

  #askAgain(): void {
    this.#config.again();
    this.#reference.again();
  }
}

customElements.define("chela-config-page", ConfigPage);
