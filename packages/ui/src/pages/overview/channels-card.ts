// Every account of every channel, in one line each.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { channelState, toneOf } from "../../state/channel-state.ts";
import { accountsOf } from "../../state/waiting.ts";

class ChannelsCard extends Part {
  readonly #channels = this.asking(() => ({
    method: "channels.status",
    params: {},
    topics: ["channels", "config"],
  }));

  override render(): TemplateResult {
    const words = this.words("overview");
    const retry = { label: this.words("app").retry, run: () => this.#channels.again() };
    const hasSome = (this.#channels.value?.channelOrder.length ?? 0) > 0;
    return html`<section class="card overview-card">
      <header>
        <h2>${words.channels}</h2>
        ${hasSome ? html`<a class="button quiet small" href=${writeRoute("channels")}>${words.details}</a>` : nothing}
      </header>
      ${renderAsked(this.#channels.state, (channels) => this.#renderChannels(channels), retry)}
    </section>`;
  }

  #renderChannels(channels: MethodAnswer<"channels.status">): TemplateResult {
    const words = this.words("overview");
    const accounts = accountsOf(channels);
    if (accounts.length === 0)
      return html`<p class="muted">${words.noChannels}</p>
        <p><a class="button small" href=${writeRoute("channels")}>${words.addChannel}</a></p>`;
    return html`<ul class="overview-list">
      ${accounts.map(({ name, account }) => {
        const state = channelState(account);
        return html`<li class="overview-row">
          <i class="overview-dot" data-tone=${toneOf(state)}></i>
          <span class="cut">${name}</span>
          <small class="overview-row-end">${words[`state_${state}`]}</small>
        </li>`;
      })}
    </ul>`;
  }
}

customElements.define("chela-overview-channels", ChannelsCard);
