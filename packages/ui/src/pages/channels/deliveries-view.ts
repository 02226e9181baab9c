// Messages on their way to channels: those that did not arrive, those that wait, and the latest that arrived.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { whenOf } from "./when-of.ts";

type Delivery = MethodAnswer<"deliveries.list">["deliveries"][number];

const STATES = ["undeliverable", "pending", "delivered"] as const;
export type DeliveryState = (typeof STATES)[number];

const MOST = 50;

export function deliveryState(written: string | undefined): DeliveryState {
  return STATES.find((state) => state === written) ?? "undeliverable";
}

/** `<chela-channels-deliveries .world .labels .counts shown .of>` */
class DeliveriesView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    labels: { attribute: false },
    counts: { attribute: false },
    shown: { attribute: false },
    of: { attribute: false },
    busy: { state: true },
  };
  declare labels: Readonly<Record<string, string>>;
  declare counts: Readonly<Record<"pending" | "undeliverable", number>>;
  declare shown: DeliveryState;
  /** Only those of this channel. */
  declare of: string | undefined;
  /** What is being sent again. */
  declare busy: string | undefined;
  readonly #deliveries = this.asking(() => ({
    method: "deliveries.list",
    params: { state: this.shown, limit: MOST, ...(this.of ? { channel: this.of } : {}) },
    topics: ["deliveries"],
  }));

  override render(): TemplateResult {
    const words = this.words("channels");
    const retry = { label: this.words("app").retry, run: () => this.#deliveries.again() };
    return html`<section class="channels-section" id="messages" aria-labelledby="channels-messages">
      <h2 id="channels-messages">${words.messages}</h2>
      <nav class="tabs" aria-label=${words.messages}>${STATES.map((state) => this.#renderTab(state))}</nav>
      ${this.of ? this.#renderOf(this.of) : nothing}
      ${renderAsked(this.#deliveries.state, ({ deliveries }) => this.#renderList(deliveries), retry)}
    </section>`;
  }

  #renderTab(state: DeliveryState): TemplateResult {
    const count = state === "delivered" ? 0 : this.counts[state];
    const query = { messages: state, ...(this.of ? { of: this.of } : {}) };
    return html`<a href=${writeRoute("channels", [], query)} aria-current=${state === this.shown ? "page" : nothing}>
      ${this.words("channels")[`tab_${state}`]}
      ${count > 0 ? html`<span class="badge ${state === "undeliverable" ? "bad" : ""}">${count}</span>` : nothing}
    </a>`;
  }

  #renderOf(channel: string): TemplateResult {
    const words = this.words("channels");
    return html`<p>
      <a class="button small" href=${writeRoute("channels", [], { messages: this.shown })}>
        ${words.onlyChannel(this.labels[channel] ?? channel)}${icon("close")}
      </a>
    </p>`;
  }

  #renderList(deliveries: readonly Delivery[]): TemplateResult {
    const words = this.words("channels");
    if (deliveries.length === 0) return html`<p class="muted">${words[`none_${this.shown}`]}</p>`;
    return html`<ul class="channels-list">
      ${repeat(
        deliveries,
        ({ id }) => id,
        (delivery) => this.#renderDelivery(delivery),
      )}
    </ul>`;
  }

  #renderDelivery({
    id,
    to,
    channel,
    preview,
    error,
    attempts,
    createdAt,
    messageId,
    state,
  }: Delivery): TemplateResult {
    const words = this.words("channels");
    const facts = [
      words.to(to, this.labels[channel] ?? channel),
      whenOf(createdAt, this.world.words, words),
      attempts > (state === "delivered" ? 1 : 0) ? words.tries(attempts) : "",
      messageId ? words.receipt(messageId) : "",
    ];
    return html`<li class="channels-delivery">
      <div class="channels-account-words">
        <p>${preview || html`<span class="muted">${words.noText}</span>`}</p>
        <p class="channels-quiet">${facts.filter(Boolean).join(" · ")}</p>
        ${error && state !== "delivered" ? html`<p class="problem channels-why">${error}</p>` : nothing}
      </div>
      ${
        state === "undeliverable"
          ? html`<button
              class="button small"
              aria-label=${words.resendTo(to)}
              ?disabled=${this.busy === id}
              @click=${() => void this.#resend(id)}
            >
              ${words.resend}
            </button>`
          : nothing
      }
    </li>`;
  }

  async #resend(id: string): Promise<void> {
    this.busy = id;
    await this.attempt(() => this.world.wire.call("deliveries.resend", { id }), this.words("channels").resent);
    this.busy = undefined;
  }
}

customElements.define("chela-channels-deliveries", DeliveriesView);
