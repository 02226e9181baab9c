// Links an account with a telephone: shows the picture to scan or the code to type, renews it, and says when it is done.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { wordsOf } from "../../wire/failure.ts";
import type { ChannelAccount } from "./accounts-of.ts";
import "../../parts/dialog.ts";

type Step = MethodAnswer<"web.login.start">;

const WAIT_MS = 60_000;

/** `<chela-channels-link .world .account .isForced @dialog-close>`; it is open while it has an account. */
class LinkDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    account: { attribute: false },
    isForced: { attribute: false },
    step: { state: true },
    failure: { state: true },
  };
  declare account: ChannelAccount | undefined;
  /** An account that is linked is logged out first. */
  declare isForced: boolean;
  declare step: Step | undefined;
  declare failure: string | undefined;
  /** Counts attempts: an answer to one that was left is not shown. */
  #turn = 0;
  #isBegun = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#turn += 1;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!this.account) this.#forget();
    // A new account has to be known to the gateway before it can be linked.
    else if (!this.#isBegun && this.account.row.configured) void this.#begin();
  }

  override render(): TemplateResult {
    const { account } = this;
    return html`<chela-dialog
      .isOpen=${account !== undefined}
      label=${account ? this.words("channels").linkTitle(account.name) : ""}
      closeLabel=${this.words("app").close}
      .content=${() => html`<div class="channels-link" aria-live="polite">${this.#renderContent()}</div>`}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderContent(): unknown {
    const words = this.words("channels");
    const { account, step, failure } = this;
    if (!account) return nothing;
    if (failure !== undefined) return this.#renderEnd(failure);
    if (!account.row.configured)
      return account.row.lastError ? this.#renderEnd(account.row.lastError) : this.#renderWait(words.linkStart);
    if (step?.state === "linked") return this.#renderLinked(account.name);
    if (step?.state === "ended") return this.#renderEnd(step.message);
    return step?.step ? this.#renderStep(step) : this.#renderWait(step?.message ?? words.linkWait);
  }

  #renderWait(text: string): TemplateResult {
    return html`<div class="channels-link-picture" aria-hidden="true"></div>
      <p class="muted" role="status">${text}</p>`;
  }

  #renderStep({ qrDataUrl, step, message }: Step): TemplateResult {
    const words = this.words("channels");
    if (step?.kind === "code")
      return html`<p>${words.linkCode}</p>
        <p class="channels-link-code"><code>${step.code}</code></p>
        <p class="muted">${step.hint}</p>`;
    return html`${
        qrDataUrl?.startsWith("data:image/")
          ? html`<img class="channels-link-picture" src=${qrDataUrl} alt=${words.linkQr} width="264" height="264" />`
          : nothing
      }
      <p>${message}</p>
      <p class="hint">${words.linkFresh}</p>`;
  }

  #renderLinked(name: string): TemplateResult {
    const words = this.words("channels");
    return html`<span class="channels-link-done">${icon("check")}</span>
      <p><strong>${words.linked(name)}</strong></p>
      <p class="muted">${words.linkedHint}</p>
      <button class="button primary" @click=${() => this.#close()}>${words.done}</button>`;
  }

  #renderEnd(why: string): TemplateResult {
    return html`<p class="problem" role="alert">${why}</p>
      <button class="button" @click=${() => void this.#begin()}>${this.words("channels").linkRetry}</button>`;
  }

  async #begin(): Promise<void> {
    const { account } = this;
    if (!account) return;
    const turn = ++this.#turn;
    this.#isBegun = true;
    this.failure = undefined;
    this.step = undefined;
    const { channel, accountId } = account;
    const { wire } = this.world;
    try {
      let step = await wire.call("web.login.start", { channel, accountId, ...(this.isForced ? { force: true } : {}) });
      while (turn === this.#turn) {
        this.step = step;
        if (step.state !== "waiting") return;
        step = await wire.call("web.login.wait", { channel, accountId, seen: seenOf(step), timeoutMs: WAIT_MS });
      }
    } catch (error) {
      if (turn === this.#turn) this.failure = wordsOf(error);
    }
  }

  #forget(): void {
    this.#turn += 1;
    this.#isBegun = false;
    this.step = undefined;
    this.failure = undefined;
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

/** What tells one step from another. */
function seenOf({ step }: Step): string {
  if (!step) return "";
  return step.kind === "qr" ? step.text : step.code;
}

customElements.define("chela-channels-link", LinkDialog);
