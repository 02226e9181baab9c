// Tries a webhook: a request is written, and what it would come to is shown.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { renderTrial } from "./trial-view.ts";
import { readHeaders, webhookName, type Names, type Webhook } from "./webhook-facts.ts";

type Trial = MethodAnswer<"webhooks.test">;

const LONGEST_BODY = 1_048_576;

/** `<chela-automation-tester .world .webhooks .names>` */
export class WebhookTester extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    webhooks: { attribute: false },
    names: { attribute: false },
    hook: { state: true },
    trial: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };
  declare webhooks: readonly Webhook[];
  declare names: Names;
  declare hook: string | undefined;
  declare trial: Trial | undefined;
  /** What is wrong with the headers. */
  declare problem: string | undefined;
  declare isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  /** Somebody wants to try this one. */
  show(id: string): void {
    this.#choose(id);
    this.querySelector<HTMLElement>("textarea")?.focus();
  }

  override render(): TemplateResult {
    const words = this.words("automation");
    return html`<section class="card stack automation-tester" aria-labelledby="automation-tester-title">
      <div>
        <h2 id="automation-tester-title">${words.tester}</h2>
        <p class="hint">${words.testerHow}</p>
      </div>
      ${this.#renderForm()}
      <div aria-live="polite">
        ${this.trial ? renderTrial(this.trial, words, this.names, this.#nameOf(this.trial.mapping ?? this.trial.path)) : nothing}
      </div>
    </section>`;
  }

  get #usable(): readonly Webhook[] {
    return this.webhooks.filter(({ absent }) => absent === undefined);
  }

  #current(): string | undefined {
    const usable = this.#usable;
    return (usable.find(({ id }) => id === this.hook) ?? usable[0])?.id;
  }

  #nameOf(id: string): string {
    const webhook = this.webhooks.find((one) => one.id === id);
    return webhook ? webhookName(webhook, this.words("automation")) : id;
  }

  #renderForm(): TemplateResult {
    const words = this.words("automation");
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#try(event)}>
      <label class="field">
        <span>${words.testWhich}</span>
        <select class="input" @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}>
          ${this.#usable.map(
            (webhook) =>
              html`<option value=${webhook.id} .selected=${webhook.id === this.#current()}>
                ${webhookName(webhook, words)}${webhook.path ? ` (${webhook.path})` : ""}
              </option>`,
          )}
        </select>
      </label>
      <label class="field">
        <span>${words.testBody}</span>
        <textarea
          class="input mono automation-body"
          name="body"
          rows="5"
          maxlength=${LONGEST_BODY}
          spellcheck="false"
          placeholder=${'{"text": "…"}'}
          aria-describedby="automation-body-hint"
        ></textarea>
        <span class="hint" id="automation-body-hint">${words.testBodyHint}</span>
      </label>
      <details class="automation-details" ?open=${this.problem !== undefined}>
        <summary>${words.testHeaders}</summary>
        <label class="field">
          <span class="seen-by-readers">${words.testHeaders}</span>
          <textarea
            class="input mono"
            name="headers"
            rows="2"
            spellcheck="false"
            aria-invalid=${this.problem ? "true" : nothing}
            aria-describedby="automation-headers-hint"
            @input=${() => (this.problem = undefined)}
          ></textarea>
          <span class="hint" id="automation-headers-hint">
            ${this.problem ? html`<span class="problem" role="alert">${this.problem}</span>` : words.testHeadersHint}
          </span>
        </label>
      </details>
      <div class="row wrap">
        <button class="button primary" value="try" ?disabled=${this.isBusy || !this.#current()}>${words.test}</button>
        <button class="button" value="send" ?disabled=${this.isBusy || !this.#current()}>${words.testSend}</button>
      </div>
    </form>`;
  }

  /** What another one came to says nothing about this one. */
  #choose(id: string): void {
    this.hook = id;
    this.trial = undefined;
  }

  async #try(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const words = this.words("automation");
    const hook = this.#current();
    if (!hook || this.isBusy) return;
    const form = new FormData(event.target as HTMLFormElement);
    const body = String(form.get("body") ?? "");
    const read = readHeaders(String(form.get("headers") ?? ""));
    if (read.kind === "wrong") return void (this.problem = words.badHeader(read.line));
    const send = (event.submitter as HTMLButtonElement | null)?.value === "send";
    const question = { title: words.testSendTitle, text: words.testSendText, yes: words.testSend };
    if (send && !(await this.world.notices.ask(question))) return;
    const { headers } = read;
    const request = { hook, ...(body.trim() ? { body } : {}), ...(Object.keys(headers).length > 0 ? { headers } : {}) };
    this.isBusy = true;
    await this.attempt(async () => {
      this.trial = await this.world.wire.call("webhooks.test", { ...request, ...(send ? { send } : {}) });
    });
    this.isBusy = false;
  }
}

customElements.define("chela-automation-tester", WebhookTester);
