// Notes below an account's line: what is wrong or worth knowing, each with what to do about it.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import type { World } from "../../app/world.ts";
import { icon } from "../../parts/icon.ts";
import { stateTone, type AccountState } from "./account-state.ts";
import type { AccountRow, ChannelAccount } from "./accounts-of.ts";

type Note = TemplateResult | typeof nothing;

export function renderNotes(
  world: World,
  { row, channel }: ChannelAccount,
  state: AccountState,
  probed: AccountRow["probe"],
): Note {
  const notes = [
    renderTrouble(world, row, state),
    renderProbe(world, probed),
    renderDeliveries(world, channel, row.deliveries),
    renderUnresolved(world, channel, row),
  ].filter((note) => note !== nothing);
  return notes.length > 0 ? html`<div class="channels-notes">${notes}</div>` : nothing;
}

function renderTrouble(world: World, { lastError, reconnectAttempts }: AccountRow, state: AccountState): Note {
  const words = world.words.of("channels");
  if (state === "off" || state === "starting" || state === "connected") return nothing;
  if (state === "connecting" && !lastError) return nothing;
  const isTrying = state === "connecting" || state === "retrying";
  return html`<div class="channels-trouble" data-tone=${stateTone(state)} role="status">
    ${lastError ? html`<p>${lastError}</p>` : nothing}
    <p class="channels-advice">
      ${words[`advice_${state}`]} ${isTrying && reconnectAttempts > 0 ? words.attempts(reconnectAttempts) : nothing}
    </p>
  </div>`;
}

function renderProbe(world: World, probed: AccountRow["probe"]): Note {
  const words = world.words.of("channels");
  if (!probed) return nothing;
  return probed.ok
    ? html`<p class="channels-note good">${icon("check")}${words.answered}</p>`
    : html`<p class="channels-note bad">${icon("warning")}${words.answeredBadly(probed.error ?? "")}</p>`;
}

function renderDeliveries(world: World, channel: string, { pending, undeliverable }: AccountRow["deliveries"]): Note {
  const words = world.words.of("channels");
  if (pending + undeliverable === 0) return nothing;
  const link = (state: string, text: string): TemplateResult =>
    html`<a href=${writeRoute("channels", [], { messages: state, of: channel })}>${text}</a>`;
  return html`<p class="channels-note ${undeliverable > 0 ? "bad" : ""}">
    ${icon("send")} ${undeliverable > 0 ? link("undeliverable", words.undeliverable(undeliverable)) : nothing}
    ${pending > 0 ? link("pending", words.pending(pending)) : nothing}
  </p>`;
}

/** Names are asked of the platform, so only an account that is connected can tell. */
function renderUnresolved(world: World, channel: string, { unresolved, connected }: AccountRow): Note {
  const words = world.words.of("channels");
  if (!connected || unresolved.length === 0) return nothing;
  return html`<p class="channels-note warn">
    ${icon("warning")}<span>${words.unresolved(unresolved.join(", "))}</span>
    <a href=${writeRoute("config", ["channels", channel])}>${words.fixNames}</a>
  </p>`;
}
