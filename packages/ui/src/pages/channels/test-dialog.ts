// Sends a test message through an account and shows the platform's receipt.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { wordsOf } from "../../wire/failure.ts";
import type { ChannelAccount } from "./accounts-of.ts";
import { findTargets, type TestTarget } from "./test-targets.ts";
import "../../parts/dialog.ts";

type Receipt = MethodAnswer<"send">;

/** `<chela-channels-test .world .account @dialog-close>`; it is open while it has an account. */
class TestDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    account: { attribute: false },
    targets: { state: true },
    receipt: { state: true },
    failure: { state: true },
    isSending: { state: true },
  };
  declare account: ChannelAccount | undefined;
  declare targets: readonly TestTarget[] | undefined;
  declare receipt: Receipt | undefined;
  declare failure: string | undefined;
  declare isSending: boolean;
  #known = "";
  /** Of what is in the fields: sent twice, it still arrives once. */
  #key = crypto.randomUUID();

  constructor() {
    super();
    this.isSending = false;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { account } = this;
    const name = account ? `${account.channel} ${account.accountId}` : "";
    if (name === this.#known) return;
    this.#known = name;
    this.#changed();
    this.targets = undefined;
    if (account) void this.#find(account, name);
  }

  override render(): TemplateResult {
    const { account } = this;
    return html`<chela-dialog
      .isOpen=${account !== undefined}
      label=${account ? this.words("channels").testTitle(account.name) : ""}
      closeLabel=${this.words("app").close}
      .content=${() => (account ? this.#renderForm(account) : html``)}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(account: ChannelAccount): TemplateResult {
    const words = this.words("channels");
    return html`<form
      class="form"
      autocomplete="off"
      @submit=${(event: SubmitEvent) => void this.#send(event, account)}
      @input=${() => this.#changed()}
    >
      ${this.#renderTo()}
      <label class="field">
        <span>${words.testText}</span>
        <textarea class="input" name="message" rows="3" required .defaultValue=${words.testDefault}></textarea>
      </label>
      <div role="status">${this.#renderOutcome(account)}</div>
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").close}</button>
        ${
          this.receipt
            ? html`<button type="button" class="button primary" @click=${() => this.#changed()}>
                ${words.testAgain}
              </button>`
            : html`<button class="button primary" ?disabled=${this.isSending}>
                ${this.isSending ? words.testSending : words.testSend}
              </button>`
        }
      </footer>
    </form>`;
  }

  #renderTo(): TemplateResult {
    const words = this.words("channels");
    const { targets } = this;
    return html`<label class="field">
        <span>${words.testTo}</span>
        <input
          class="input"
          name="to"
          required
          spellcheck="false"
          list="channels-targets"
          aria-describedby="channels-to-hint"
        />
      </label>
      <datalist id="channels-targets">
        ${(targets ?? []).map(({ to, name, kind }) => {
          const label = [name === to ? "" : name, words[`kind_${kind}`]].filter(Boolean).join(" · ");
          return html`<option value=${to} label=${label}></option>`;
        })}
      </datalist>
      <div class="channels-targets">
        <p class="hint" id="channels-to-hint">${targets?.length === 0 ? words.testNobody : words.testToHint}</p>
        ${targets && targets.length > 0 ? this.#renderSuggestions(targets) : nothing}
      </div>`;
  }

  /** The first few can be taken with one click. */
  #renderSuggestions(targets: readonly TestTarget[]): TemplateResult {
    return html`<div class="row wrap">
      ${targets
        .slice(0, 5)
        .map(
          ({ to, name, kind }) =>
            html`<button type="button" class="button small" title=${to} @click=${() => this.#take(to)}>
              ${icon(kind === "group" ? "sessions" : "agents")}<span class="cut">${name}</span>
            </button>`,
        )}
    </div>`;
  }

  #renderOutcome({ label }: ChannelAccount): unknown {
    const words = this.words("channels");
    if (this.failure !== undefined) return html`<p class="problem channels-why">${this.failure}</p>`;
    if (!this.receipt) return nothing;
    return html`<div class="channels-receipt">
      <p>${icon("check")}${words.testDone(label)}</p>
      <p class="channels-quiet">${words.testReceipt} <code>${this.receipt.messageId}</code></p>
    </div>`;
  }

  async #find(account: ChannelAccount, name: string): Promise<void> {
    const targets = await findTargets(this.world.wire, account);
    if (name === this.#known) this.targets = targets;
  }

  #take(to: string): void {
    const field = this.querySelector<HTMLInputElement>("input[name=to]");
    if (!field) return;
    field.value = to;
    this.#changed();
  }

  #changed(): void {
    this.#key = crypto.randomUUID();
    this.receipt = undefined;
    this.failure = undefined;
  }

  async #send(event: SubmitEvent, { channel, accountId }: ChannelAccount): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const [to, message] = [String(fields.get("to")).trim(), String(fields.get("message"))];
    const idempotencyKey = this.#key;
    this.isSending = true;
    this.failure = undefined;
    try {
      const receipt = await this.world.wire.call("send", { to, message, channel, accountId, idempotencyKey });
      if (idempotencyKey === this.#key) this.receipt = receipt;
    } catch (error) {
      if (idempotencyKey === this.#key) this.failure = wordsOf(error);
    } finally {
      this.isSending = false;
    }
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-channels-test", TestDialog);
