// Webhooks: whether they are taken, where each is sent to, what it does, and what came last.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { KnownNames } from "../../state/known-names.ts";
import { isThisMachine } from "../../state/this-machine.ts";
import { changeWebhooks, makeToken } from "./change-webhooks.ts";
import { webhookName, type Webhook } from "./webhook-facts.ts";
import { renderRequests } from "./recent-requests.ts";
import { renderWebhook } from "./webhook-row.ts";
import { WebhookTester } from "./webhook-tester.ts";
import "./secret-dialog.ts";
import "./sender-dialog.ts";

type WebhookList = MethodAnswer<"webhooks.list">;

class WebhooksTab extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    token: { state: true },
    isAdding: { state: true },
    isBusy: { state: true },
  };
  /** One that was just made: it is shown once. */
  declare token: string | undefined;
  declare isAdding: boolean;
  declare isBusy: boolean;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #list = this.asking(() => ({ method: "webhooks.list", params: {}, topics: ["config", "errands"] }));

  constructor() {
    super();
    this.isAdding = false;
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const words = this.words("automation");
    const retry = { label: this.words("app").retry, run: () => this.#list.again() };
    return html`<div class="stack automation-webhooks">
        <p class="muted automation-intro">${words.webhooksIntro}</p>
        ${renderAsked(this.#list.state, (listed) => (listed.enabled ? this.#renderOn(listed) : this.#renderOff()), retry)}
      </div>
      <chela-automation-secret
        .world=${this.world}
        .secret=${this.token}
        .heading=${words.tokenTitle}
        .how=${words.tokenHow}
        .label=${words.token}
        @dialog-close=${() => (this.token = undefined)}
      ></chela-automation-secret>`;
  }

  #renderOff(): TemplateResult {
    const words = this.words("automation");
    return html`<div class="card empty">
      ${icon("link")}
      <h2>${words.webhooksOff}</h2>
      <p>${words.webhooksOffHow}</p>
      <div class="row wrap">
        <button class="button primary" ?disabled=${this.isBusy} @click=${() => void this.#switchOn()}>
          ${words.switchOn}
        </button>
        <a class="button" href=${writeRoute("config", ["hooks"])}>${this.pageTitle("config")}</a>
      </div>
    </div>`;
  }

  #renderOn({ path, problems, webhooks, recent }: WebhookList): TemplateResult {
    const words = this.words("automation");
    return html`${problems.map(
        (problem) =>
          html`<div class="banner warn" role="alert">
            ${icon("warning")}
            <p>${problem}</p>
          </div>`,
      )}
      ${
        isThisMachine(location.hostname)
          ? html`<div class="banner">
              ${icon("info")}
              <p>${words.onlyHere}</p>
            </div>`
          : nothing
      }
      <section class="stack">
        <div class="automation-section-head">
          <h2>${words.senders}</h2>
          <button class="button" @click=${() => (this.isAdding = true)}>${icon("plus")}${words.addSender}</button>
          <a class="button quiet" href=${writeRoute("config", ["hooks"])}>${this.pageTitle("config")}</a>
        </div>
        <ul class="automation-list">
          ${repeat(
            webhooks,
            ({ id }) => id,
            (webhook) => this.#renderWebhook(webhook, path),
          )}
        </ul>
      </section>
      ${renderRequests(recent, {
        texts: words,
        words: this.world.words,
        nameOf: (id) => {
          const webhook = webhooks.find((one) => one.id === id);
          return webhook ? webhookName(webhook, words) : id;
        },
      })}
      <chela-automation-tester
        .world=${this.world}
        .webhooks=${webhooks}
        .names=${this.#spoken}
      ></chela-automation-tester>
      <div>
        <button class="button quiet" ?disabled=${this.isBusy} @click=${() => void this.#switchOff()}>
          ${words.switchOff}
        </button>
      </div>
      <chela-automation-sender
        .world=${this.world}
        .base=${`${location.origin}${path}`}
        .isOpen=${this.isAdding}
        @dialog-close=${() => (this.isAdding = false)}
        @sender-added=${() => this.#list.again()}
      ></chela-automation-sender>`;
  }

  #renderWebhook(webhook: Webhook, base: string): TemplateResult {
    const words = this.words("automation");
    return renderWebhook(webhook, {
      texts: words,
      names: this.#spoken,
      address: `${location.origin}${base}/${webhook.path ?? ""}`,
      copy: (text) => void this.attempt(() => navigator.clipboard.writeText(text), words.copied),
      tryOut: () => this.#tryOut(webhook.id),
    });
  }

  get #spoken(): { agent(id: string): string; channel(id: string): string } {
    return {
      agent: (id) => this.#names.agent(id),
      channel: (id) => this.#names.channel(id, this.pageTitle("chat")),
    };
  }

  #tryOut(id: string): void {
    const tester = this.querySelector("chela-automation-tester");
    if (tester instanceof WebhookTester) tester.show(id);
  }

  async #switchOn(): Promise<void> {
    const made = makeToken();
    let isMade = false;
    this.isBusy = true;
    const isDone = await this.attempt(
      () =>
        changeWebhooks(this.world, ({ token }) => {
          isMade = !token;
          return { enabled: true, ...(isMade ? { token: made } : {}) };
        }),
      this.words("automation").switchedOn,
    );
    this.isBusy = false;
    if (!isDone) return;
    if (isMade) this.token = made;
    this.#list.again();
  }

  async #switchOff(): Promise<void> {
    const words = this.words("automation");
    const question = { title: words.switchOffTitle, text: words.switchOffText, yes: words.switchOff };
    if (!(await this.world.notices.ask(question))) return;
    this.isBusy = true;
    await this.attempt(() => changeWebhooks(this.world, () => ({ enabled: false })), words.switchedOff);
    this.isBusy = false;
    this.#list.again();
  }
}

customElements.define("chela-automation-webhooks", WebhooksTab);
