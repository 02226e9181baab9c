// Adds a sender: which service, the secret it signs with, who hears of it, and what is to be done.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { changeWebhooks, listOf, makeToken, recordOf } from "./change-webhooks.ts";
import { freePath, newMapping, SENDERS, type Sender } from "./new-mapping.ts";
import "../../parts/dialog.ts";

const CHOICES = Object.keys(SENDERS) as Sender[];

/** `<chela-automation-sender .world .base .isOpen @dialog-close @sender-added>` */
class SenderDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    base: { attribute: false },
    isOpen: { attribute: false },
    sender: { state: true },
    isBusy: { state: true },
  };
  /** The address all webhooks stand below. */
  declare base: string;
  declare isOpen: boolean;
  declare sender: Sender;
  declare isBusy: boolean;
  #made = "";
  readonly #agents = this.asking(() =>
    this.isOpen ? { method: "agents.list", params: {}, topics: ["agents"] } : undefined,
  );
  readonly #config = this.asking(() =>
    this.isOpen ? { method: "config.get", params: {}, topics: ["config"] } : undefined,
  );

  constructor() {
    super();
    this.sender = "github";
    this.isBusy = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("isOpen") && this.isOpen) this.#made = makeToken();
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.isOpen}
      label=${this.words("automation").addSender}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("automation");
    const agents = this.#agents.value?.agents ?? [];
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#add(event)}>
      <fieldset class="choice">
        <legend>${words.sender}</legend>
        ${CHOICES.map(
          (sender) =>
            html`<label>
              <input
                type="radio"
                name="sender"
                value=${sender}
                .checked=${sender === this.sender}
                @change=${() => (this.sender = sender)}
              />${SENDERS[sender].name || words.sender_generic}
            </label>`,
        )}
      </fieldset>
      ${this.#renderAddress()} ${this.#renderSecret()}
      ${
        agents.length > 1
          ? html`<label class="field">
              <span>${words.agent}</span>
              <select class="input" name="agentId">
                <option value="">${words.defaultAgent}</option>
                ${agents.map(({ id, name }) => html`<option value=${id}>${name ?? id}</option>`)}
              </select>
            </label>`
          : nothing
      }
      <label class="field">
        <span>${words.instructions}</span>
        <textarea
          class="input"
          name="instructions"
          rows="2"
          maxlength="4000"
          placeholder=${words.instructionsExample}
        ></textarea>
        <span class="hint">${words.instructionsHint}</span>
      </label>
      <div class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary" ?disabled=${this.isBusy}>${words.add}</button>
      </div>
    </form>`;
  }

  #renderAddress(): TemplateResult {
    const hooks = recordOf(recordOf(this.#config.value?.parsed)["hooks"]);
    return this.#renderTaken(this.words("automation").address, `${this.base}/${freePath(this.sender, hooks)}`);
  }

  /** Something to be copied into the settings of the sender. */
  #renderTaken(label: string, value: string, hint?: string): TemplateResult {
    const words = this.words("automation");
    const copy = (): Promise<boolean> => this.attempt(() => navigator.clipboard.writeText(value), words.copied);
    const copyLabel = `${this.words("app").copy}: ${label}`;
    return html`<label class="field">
      <span>${label}</span>
      <span class="row">
        <input class="input mono" readonly .value=${value} />
        <button
          type="button"
          class="button square"
          aria-label=${copyLabel}
          title=${copyLabel}
          @click=${() => void copy()}
        >
          ${icon("copy")}
        </button>
      </span>
      ${hint ? html`<span class="hint">${hint}</span>` : nothing}
    </label>`;
  }

  #renderSecret(): TemplateResult {
    const words = this.words("automation");
    switch (SENDERS[this.sender].secret) {
      case "token":
        return html`<p class="hint">${words.secretToken}</p>`;
      case "ours":
        return this.#renderTaken(words.secret, this.#made, words.secretOurs);
      case "sender":
        return html`<label class="field">
          <span>${words.secret}</span>
          <input class="input mono" name="secret" type="password" autocomplete="off" required minlength="8" />
          <span class="hint">${words.secretTheirs(SENDERS[this.sender].name)}</span>
        </label>`;
    }
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const { sender } = this;
    const given = (name: string): string => String(form.get(name) ?? "");
    const secret = SENDERS[sender].secret === "ours" ? this.#made : given("secret");
    const wish = { sender, secret, instructions: given("instructions"), agentId: given("agentId") };
    this.isBusy = true;
    const isAdded = await this.attempt(
      () =>
        changeWebhooks(this.world, (hooks) => ({
          mappings: [...listOf(hooks["mappings"]), newMapping(wish, hooks)],
        })),
      this.words("automation").added,
    );
    this.isBusy = false;
    if (!isAdded) return;
    this.dispatchEvent(new CustomEvent("sender-added"));
    this.#close();
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-automation-sender", SenderDialog);
