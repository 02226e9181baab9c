// The form of one channel: the steps at its platform, and just the settings it needs. Secrets are in their fields only.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { renderMarkdown } from "../../parts/editor/markdown.ts";
import { wordsOf } from "../../wire/failure.ts";
import { blockOf, DEFAULT_ACCOUNT, settingsPatch, writtenSetting } from "./account-patch.ts";
import { changeAccount } from "./change-account.ts";
import { filledSettings, type Setup } from "./filled-settings.ts";
import type { SavedAccount } from "./setup-dialog.ts";

/** Stands for a secret that is there. */
const HIDDEN = "••••••••";

/** `<chela-channels-form .world .setup .accountId .canGoBack .taken @account-saved @form-back>` */
class SetupForm extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    setup: { attribute: false },
    accountId: { attribute: false },
    canGoBack: { attribute: false },
    taken: { attribute: false },
    isBusy: { state: true },
    problem: { state: true },
  };
  declare setup: Setup;
  /** The account that is changed; undefined for a new one. */
  declare accountId: string | undefined;
  /** Whether another channel can be chosen. */
  declare canGoBack: boolean;
  /** Accounts this channel has. */
  declare taken: readonly string[];
  declare isBusy: boolean;
  declare problem: string | undefined;
  readonly #config = this.asking(() =>
    this.accountId === undefined ? undefined : { method: "config.get", params: {}, topics: ["config"] },
  );

  constructor() {
    super();
    this.isBusy = false;
    this.canGoBack = false;
    this.taken = [];
  }

  override render(): TemplateResult {
    const words = this.words("channels");
    const { steps, fields } = this.setup;
    const isNew = this.accountId === undefined;
    return html`<form
      class="form"
      autocomplete="off"
      @submit=${(event: SubmitEvent) => void this.#submitted(event)}
      @input=${() => (this.problem = undefined)}
    >
      ${
        isNew && steps.length > 0
          ? html`<ol class="channels-steps">
              ${steps.map((step) => html`<li>${renderMarkdown(step)}</li>`)}
            </ol>`
          : html`<p class="hint">${words.keepHint}</p>`
      }
      ${isNew && this.taken.length > 0 ? this.#renderName() : nothing}
      ${fields.map((field) => this.#renderField(field))}
      ${fields.some(({ secret }) => secret) ? html`<p class="hint">${words.secretHint}</p>` : nothing}
      ${this.problem === undefined ? nothing : html`<p class="problem channels-why" role="alert">${this.problem}</p>`}
      <footer class="dialog-foot">
        ${
          this.canGoBack
            ? html`<button type="button" class="button quiet channels-back" @click=${() => this.#goBack()}>
                ${icon("chevronLeft")}${words.back}
              </button>`
            : nothing
        }
        <button class="button primary" ?disabled=${this.isBusy}>${this.isBusy ? words.checking : words.save}</button>
      </footer>
    </form>`;
  }

  #renderName(): TemplateResult {
    const words = this.words("channels");
    return html`<label class="field">
      <span>${words.accountName}</span>
      <input class="input" name="account" required maxlength="40" pattern="[a-z0-9][a-z0-9\\-]*" spellcheck="false" />
      <span class="hint">${words.accountNameHint}</span>
    </label>`;
  }

  #renderField({ name, label, secret, required, hint, example }: Setup["fields"][number]): TemplateResult {
    const words = this.words("channels");
    const isNew = this.accountId === undefined;
    return html`<label class="field">
      <span>${required || !isNew ? label : words.optional(label)}</span>
      <input
        class="input"
        name=${`field:${name}`}
        type=${secret ? "password" : "text"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength="4096"
        placeholder=${this.#isNow(name, secret) ?? (example && !secret ? words.example(example) : nothing)}
        ?required=${required && isNew}
      />
      ${hint ? html`<span class="hint">${hint}</span>` : nothing}
    </label>`;
  }

  /** What is written now: it stays if nothing else is filled in. */
  #isNow(name: string, isSecret: boolean): string | undefined {
    if (this.accountId === undefined) return undefined;
    const value = writtenSetting(blockOf(this.#config.value?.parsed, this.setup.id), this.accountId, name);
    return value !== undefined && isSecret ? HIDDEN : value;
  }

  #goBack(): void {
    this.dispatchEvent(new CustomEvent("form-back"));
  }

  async #submitted(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const words = this.words("channels");
    const form = event.target as HTMLFormElement;
    const filled = new FormData(form);
    const read = (name: string): string => String(filled.get(name) ?? "");
    const accountId = this.accountId ?? (read("account").trim() || DEFAULT_ACCOUNT);
    if (this.accountId === undefined && this.taken.includes(accountId)) {
      this.problem = words.accountTaken;
      return;
    }
    this.isBusy = true;
    this.problem = undefined;
    try {
      const saved = await this.#save(
        accountId,
        filledSettings(this.setup.fields, (name) => read(`field:${name}`)),
      );
      if (!saved) return;
      form.reset();
      this.dispatchEvent(new CustomEvent<SavedAccount>("account-saved", { detail: saved }));
    } catch (error) {
      this.problem = wordsOf(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** Nothing is written that the channel could not begin with. */
  async #save(accountId: string, settings: Readonly<Record<string, unknown>>): Promise<SavedAccount | undefined> {
    const { wire } = this.world;
    const channel = this.setup.id;
    const { ready, why, isLinkedByPerson } = await wire.call("channels.check", { channel, accountId, settings });
    if (!ready) {
      this.problem = why ?? "";
      return undefined;
    }
    await changeAccount(wire, channel, (block) => settingsPatch(block, this.taken, accountId, settings));
    return { channel, accountId, isLinkedByPerson };
  }
}

customElements.define("chela-channels-form", SetupForm);
