// One hook: what it is for, when it runs, whether it does, and if not, why.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import { renderSwitch } from "../../parts/switch.ts";
import type { Words } from "../../words/index.ts";
import type { AutomationWords } from "./beat-words.ts";
import { canSwitch, eventWords, needsOf, safeLink, type Hook } from "./hook-facts.ts";

interface HookWorld {
  readonly texts: AutomationWords;
  readonly words: Words;
  readonly isBusy: boolean;
  set(isOn: boolean): void;
}

export function renderHook(hook: Hook, world: HookWorld): TemplateResult {
  const { texts } = world;
  const { name, emoji, description, guard } = hook;
  return html`<li class="card automation-hook" data-state=${hook.state}>
    <span class="automation-hook-face" aria-hidden="true">${emoji ?? icon("plugins")}</span>
    <div class="automation-hook-words">
      <div class="row wrap">
        <h3>${name}</h3>
        ${guard ? html`<span class="badge info" title=${texts.guardHow}>${texts.guard}</span>` : nothing}
        ${renderStateBadge(hook, texts)}
      </div>
      ${description ? html`<p>${description}</p>` : nothing}
      ${
        hook.events.length > 0
          ? html`<p class="hint">${texts.hearsOf} ${eventWords(hook.events, texts).join(", ")}</p>`
          : nothing
      }
      ${renderTrouble(hook, world)} ${renderDetails(hook, texts)}
    </div>
    ${renderHookSwitch(hook, world)}
  </li>`;
}

function renderStateBadge({ state }: Hook, texts: AutomationWords): TemplateResult | typeof nothing {
  if (state === "on" || state === "off") return nothing;
  return html`<span class="badge ${state === "broken" ? "bad" : "warn"}">${texts[`state_${state}`]}</span>`;
}

function renderHookSwitch(hook: Hook, { texts, isBusy, set }: HookWorld): TemplateResult {
  const { name, enabled, state } = hook;
  const isOn = enabled && state !== "changed" && state !== "off";
  return renderSwitch({ label: texts.enableName(name), isOn, isDisabled: isBusy || !canSwitch(hook), set });
}

function renderTrouble(hook: Hook, { texts, words, set }: HookWorld): TemplateResult {
  const { state, why, lastError, unknownEvents } = hook;
  const isTrouble = state === "missing" || state === "broken" || state === "shadowed";
  return html`${
    state === "changed"
      ? html`<div class="banner warn automation-changed" role="status">
          <p>${texts.changedHow}</p>
          <button class="button small" @click=${() => set(true)}>${texts.enableAgain}</button>
        </div>`
      : nothing
  }
  ${isTrouble && why ? html`<p class="automation-why">${why}</p>` : nothing}
  ${unknownEvents.length > 0 ? html`<p class="automation-why">${texts.unknownEvents(unknownEvents.join(", "))}</p>` : nothing}
  ${
    lastError
      ? html`<p class="problem">
          ${texts.lastError(words.ago(lastError.at), lastError.event)}: <span class="mono">${lastError.error}</span>
        </p>`
      : nothing
  }`;
}

function renderDetails(hook: Hook, texts: AutomationWords): TemplateResult | typeof nothing {
  const needs = needsOf(hook);
  const homepage = safeLink(hook.homepage);
  if (!hook.path && needs.length === 0 && !homepage) return nothing;
  return html`<details class="automation-details">
    <summary>${texts.details}</summary>
    <dl class="pairs">
      ${
        needs.length > 0
          ? html`<dt>${texts.needs}</dt>
              <dd class="row wrap">${needs.map((need) => html`<code>${need}</code>`)}</dd>`
          : nothing
      }
      ${
        hook.path
          ? html`<dt>${texts.lies}</dt>
              <dd><code>${hook.path}</code></dd>`
          : nothing
      }
      ${
        homepage
          ? html`<dt>${texts.homepage}</dt>
              <dd><a href=${homepage} target="_blank" rel="noreferrer noopener">${homepage}</a></dd>`
          : nothing
      }
    </dl>
  </details>`;
}
