// The channels there are, to choose one from.
import { html, nothing, type TemplateResult } from "lit";
import type { InOtherWords, Sections } from "../../words/index.ts";
import { hueOf } from "./accounts-of.ts";
import type { Setup } from "./filled-settings.ts";

export function renderChoice(
  setups: readonly Setup[],
  inUse: ReadonlySet<string>,
  words: InOtherWords<Sections["channels"]>,
  choose: (channel: string) => void,
): TemplateResult {
  return html`<ul class="channels-choice">
    ${setups.map(
      ({ id, label, installed }) =>
        html`<li>
          <button type="button" class="channels-choose" @click=${() => choose(id)}>
            <span class="channels-tile" data-hue=${hueOf(id)} aria-hidden="true">${label.slice(0, 1)}</span>
            <span class="channels-choose-words">
              <span>${label}</span>
              ${inUse.has(id) ? html`<small>${words.inUse}</small>` : installed ? nothing : html`<small>${words.packageNeeded}</small>`}
            </span>
          </button>
        </li>`,
    )}
  </ul>`;
}
