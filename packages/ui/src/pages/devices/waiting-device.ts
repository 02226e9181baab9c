// A device that asks to be let in: all it says of itself, and the two answers.
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../words/index.ts";
import { deviceKind, deviceName, powerName, powersOf, roleName, rolesOf, type WaitingDevice } from "./device-words.ts";
import { abilitiesOf, partsOf } from "./node-words.ts";
import { renderAbilities } from "./waiting-node.ts";

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
  const abilities = abilitiesOf(device.commands ?? [], words);
  const parts = partsOf(device);
  return html`<article class="card devices-waiting" aria-label=${name}>
    <header>
      <h3><bdi>${name}</bdi></h3>
      <span class="hint">${words.since(all.ago(device.ts))}</span>
    </header>
    ${device.isRepair ? html`<p><span class="badge warn">${words.asksMore}</span></p>` : nothing}
    <dl class="pairs devices-facts">
      <dt>${words.asksFor}</dt>
      <dd>
        ${powers.map((power) => renderPower(powerName(words, power), isNew(device, power), words.newBadge))}
        ${powers.length === 0 && abilities.length === 0 ? words.noScopes : nothing}
        <div class="hint">
          ${[...new Set([...rolesOf(device).map((role) => roleName(words, role)), ...deviceKind(words, device)])].join(" · ")}
        </div>
      </dd>
      ${
        abilities.length > 0
          ? html`<dt>${words.offersAgents}</dt>
              <dd>
                ${renderAbilities(abilities, words.strongAbility)}
                ${parts.length > 0 ? html`<div class="hint">${words.partsAre(parts.join(", "))}</div>` : nothing}
              </dd>`
          : nothing
      }
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

/** Of somebody who is known already, what they did not have before stands out. */
function isNew({ isRepair, adds }: WaitingDevice, power: string): boolean {
  return isRepair === true && (adds?.scopes.includes(power) ?? false);
}

function renderPower(name: string, isAdded: boolean, badge: string): TemplateResult {
  return html`<div>${isAdded ? html`<strong>${name}</strong> <span class="badge warn">${badge}</span>` : name}</div>`;
}
