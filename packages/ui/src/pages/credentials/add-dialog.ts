// Adds a credential, or puts another in its place. The secret is in its field only, until it is sent, once.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { KINDS, readCredential, suggestedId, type Credential, type Draft, type Kind } from "./new-credential.ts";
import { renderPlace } from "./place-fields.ts";
import { OTHER, serviceChoices, type ServiceChoice } from "./services.ts";
import "../../parts/dialog.ts";

const NOTHING: Draft = { service: "", account: "", name: "", kind: "value" };

/**
 * `<chela-credentials-add .world .isOpen .replaces .taken @dialog-close @credential-kept>`: the latter's detail is the id.
 */
class AddDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    isOpen: { attribute: false },
    replaces: { attribute: false },
    taken: { attribute: false },
    draft: { state: true },
    chosen: { state: true },
    isBusy: { state: true },
  };
  declare isOpen: boolean;
  /** The one that gets another value. */
  declare replaces: Credential | undefined;
  /** Names that are there already. */
  declare taken: ReadonlySet<string>;
  declare draft: Draft;
  /** What is chosen in the list of services. */
  declare chosen: string;
  declare isBusy: boolean;
  readonly #setup = this.asking(() =>
    this.isOpen && this.world.wire.has("setup.status")
      ? { method: "setup.status", params: {}, topics: ["config", "models"] }
      : undefined,
  );
  readonly #channels = this.asking(() =>
    this.isOpen && this.world.wire.has("channels.capabilities")
      ? { method: "channels.capabilities", params: {}, topics: ["channels", "config"] }
      : undefined,
  );

  constructor() {
    super();
    this.isOpen = false;
    this.isBusy = false;
    this.taken = new Set();
    this.chosen = "";
    this.draft = NOTHING;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("isOpen") || !this.isOpen) return;
    const { service = "", account = "", kind = "value" } = this.replaces ?? {};
    this.chosen = "";
    this.draft = { service, account, name: "", kind };
  }

  override render(): TemplateResult {
    const words = this.words("credentials");
    return html`<chela-dialog
      .isOpen=${this.isOpen}
      label=${this.replaces ? words.replaceTitle(this.replaces.id) : words.addTitle}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("credentials");
    const choices = serviceChoices(this.#setup.value, this.#channels.value);
    return html`<form class="form" autocomplete="off" @submit=${(event: SubmitEvent) => void this.#submitted(event)}>
      ${this.replaces ? nothing : this.#renderService(choices)} ${this.#renderKinds()}
      ${renderPlace(this.draft.kind, words, this.#points)} ${this.#renderFurther()}
      <div class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary" ?disabled=${this.isBusy}>${this.#buttonText(choices)}</button>
      </div>
    </form>`;
  }

  #renderService(choices: readonly ServiceChoice[]): TemplateResult {
    const words = this.words("credentials");
    const option = ({ id, label }: ServiceChoice): TemplateResult =>
      html`<option value=${id} .selected=${id === this.chosen}>${label}</option>`;
    const groups = (["models", "channels"] as const).map((group) => ({
      label: words[`services_${group}`],
      within: choices.filter((choice) => choice.group === group),
    }));
    const keyUrl = choices.find(({ id }) => id === this.chosen)?.keyUrl;
    return html`<label class="field">
        <span>${words.service}</span>
        <select
          class="input"
          required
          autofocus
          @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}
        >
          <option value="" .selected=${this.chosen === ""}></option>
          ${groups.map(({ label, within }) => (within.length > 0 ? html`<optgroup label=${label}>${within.map(option)}</optgroup>` : nothing))}
          <optgroup label=${words.services_other}>${option({ id: OTHER, label: words.otherService })}</optgroup>
        </select>
        ${
          keyUrl
            ? html`<span class="hint"
                ><a href=${keyUrl} target="_blank" rel="noreferrer">${words.makeKey}${icon("external")}</a></span
              >`
            : nothing
        }
      </label>
      ${this.chosen === OTHER ? this.#renderText("service", words.serviceName, words.serviceNameHint, { isRequired: true }) : nothing}`;
  }

  #renderKinds(): TemplateResult {
    const words = this.words("credentials");
    return html`<fieldset class="choice credentials-kinds">
      <legend>${words.where}</legend>
      ${KINDS.map(
        (kind) =>
          html`<label>
            <input
              type="radio"
              name="kind"
              value=${kind}
              .checked=${kind === this.draft.kind}
              @change=${() => this.#setKind(kind)}
            />${words[`where_${kind}`]}
          </label>`,
      )}
    </fieldset>`;
  }

  /** What is seldom needed. */
  #renderFurther(): TemplateResult {
    const words = this.words("credentials");
    const { origin = "", capabilities = [] } = this.replaces ?? {};
    const suggestion = suggestedId(this.draft);
    const isTaken = !this.replaces && this.taken.has(this.#id);
    return html`${this.replaces ? nothing : this.#renderText("account", words.account, words.accountHint)}
      ${this.replaces ? nothing : this.#renderText("name", words.name, words.nameHint, { placeholder: suggestion })}
      ${isTaken ? html`<p class="banner warn" role="status">${icon("warning")}${words.nameTaken}</p>` : nothing}
      <details class="credentials-further">
        <summary>${words.furtherSettings}</summary>
        <div class="form">
          <label class="field">
            <span>${words.originLabel}</span>
            <input class="input mono" name="origin" maxlength="500" spellcheck="false" .defaultValue=${origin} />
            <span class="hint">${words.originHint}</span>
          </label>
          <label class="field">
            <span>${words.capabilitiesLabel}</span>
            <input class="input" name="capabilities" maxlength="1000" .defaultValue=${capabilities.join(", ")} />
            <span class="hint">${words.capabilitiesHint}</span>
          </label>
        </div>
      </details>`;
  }

  #renderText(
    field: "service" | "account" | "name",
    label: string,
    hint: string,
    { isRequired = false, placeholder = "" } = {},
  ): TemplateResult {
    return html`<label class="field">
      <span>${label}</span>
      <input
        class="input"
        maxlength="200"
        spellcheck="false"
        ?required=${isRequired}
        placeholder=${placeholder || nothing}
        .value=${this.draft[field]}
        @input=${(event: Event) => (this.draft = { ...this.draft, [field]: (event.target as HTMLInputElement).value })}
      />
      <span class="hint">${hint}</span>
    </label>`;
  }

  /** Where the one to be replaced lies, if it stays of its kind. */
  get #points(): string | undefined {
    return this.replaces?.kind === this.draft.kind ? this.replaces.points : undefined;
  }

  get #id(): string {
    return this.replaces?.id ?? (this.draft.name.trim() || suggestedId(this.draft));
  }

  #buttonText(choices: readonly ServiceChoice[]): string {
    const words = this.words("credentials");
    if (this.isBusy) return words.keeping;
    if (this.replaces || this.taken.has(this.#id)) return words.replaceButton;
    return choices.some(({ id }) => id === this.draft.service) ? words.keepAndCheck : words.keep;
  }

  #choose(id: string): void {
    this.chosen = id;
    this.draft = { ...this.draft, service: id === OTHER ? "" : id };
  }

  #setKind(kind: Kind): void {
    this.#forget();
    this.draft = { ...this.draft, kind };
  }

  async #submitted(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy) return;
    const form = event.target as HTMLFormElement;
    const given = new FormData(form);
    const credential = readCredential(this.draft, (name) => String(given.get(name) ?? ""), this.replaces);
    const replace = this.taken.has(credential.id) ? { replace: true } : {};
    this.isBusy = true;
    const sent = this.world.wire.call("credentials.add", { ...credential, ...replace });
    // Whatever comes of it: it was sent, and is not to be found here any more.
    this.#forget();
    const isKept = await this.attempt(() => sent, this.words("credentials").kept(credential.id));
    this.isBusy = false;
    if (!isKept) return;
    this.dispatchEvent(new CustomEvent<string>("credential-kept", { detail: credential.id }));
    this.#close();
  }

  #forget(): void {
    const field = this.querySelector<HTMLInputElement>("input[type=password]");
    if (field) field.value = "";
  }

  #close(): void {
    this.#forget();
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-credentials-add", AddDialog);
