// A device that asks to be let in: all it says of itself, and the two answers.
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../words/index.ts";
import { deviceKind, deviceName, powerName, powersOf, roleName, rolesOf, type WaitingDevice } from "./device-words.ts";

export interface WaitingActions {
  /** It was answered here just now. */
  isAnswered(device: WaitingDevice): boolean;
  approve(device: WaitingDevice): void;
  reject(device: WaitingDevice): void;
}

export function renderWaiting(device: WaitingDevice, all: Words, actions: WaitingActions): TemplateResult {
  const words = all.of("devices");
  const name = deviceName(words, device);
  const isAnswered = actions.isAnswered(device);
  const powers = powersOf(device.scopes ?? []);
  return html`<article class="card devices-waiting" aria-label=${name}>
    <header>
      <h3><bdi>${name}</bdi></h3>
      <span class="hint">${words.since(all.ago(device.ts))}</span>
    </header>
    ${device.isRepair ? html`<p><span class="badge warn">${words.asksMore}</span></p>` : nothing}
    <dl class="pairs devices-facts">
      <dt>${words.asksFor}</dt>
      <dd>
        ${powers.length > 0 ? powers.map((power) => html`<div>${powerName(words, power)}</div>`) : words.noScopes}
        <div class="hint">
          ${[...rolesOf(device).map((role) => roleName(words, role)), ...deviceKind(words, device)].join(" · ")}
        </div>
      </dd>
      ${
        device.remoteIp
          ? html`<dt>${words.address}</dt>
              <dd>${device.remoteIp}</dd>`
          : nothing
      }
      <dt>${words.request}</dt>
      <dd><code>${device.requestId}</code></dd>
    </dl>
    <footer class="row">
      <button
        class="button"
        ?disabled=${isAnswered}
        aria-label=${words.rejectName(name)}
        @click=${() => actions.reject(device)}
      >
        ${words.reject}
      </button>
      <button
        class="button primary"
        ?disabled=${isAnswered}
        aria-label=${words.approveName(name)}
        @click=${() => actions.approve(device)}
      >
        ${words.approve}
      </button>
    </footer>
  </article>`;
}
