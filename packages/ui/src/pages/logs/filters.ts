// Filters of the log: a text, a part of the gateway, levels.
import { html, type TemplateResult } from "lit";
import type { InOtherWords, Sections } from "../../words/index.ts";
import type { LogFilter } from "./log-book.ts";
import { LEVELS, type Level } from "./log-line.ts";

interface Filtering {
  readonly filter: LogFilter;
  /** Who has written so far. */
  readonly parts: readonly string[];
  readonly wraps: boolean;
  setText(text: string): void;
  setPart(of: string): void;
  toggle(level: Level): void;
  setWraps(wraps: boolean): void;
}

export function renderFilters(words: InOtherWords<Sections["logs"]>, now: Filtering): TemplateResult {
  const { filter, wraps } = now;
  const parts = new Set([...now.parts, ...(filter.of ? [filter.of] : [])]);
  return html`<div class="logs-filters">
    <label class="logs-search">
      <span class="seen-by-readers">${words.filter}</span>
      <input
        class="input"
        type="search"
        placeholder=${words.filter}
        .value=${filter.text}
        @input=${(event: Event) => now.setText((event.target as HTMLInputElement).value)}
      />
    </label>
    <select
      class="input logs-part"
      aria-label=${words.part}
      @change=${(event: Event) => now.setPart((event.target as HTMLSelectElement).value)}
    >
      <option value="" .selected=${filter.of === ""}>${words.everything}</option>
      ${[...parts].map((part) => html`<option value=${part} .selected=${part === filter.of}>${part}</option>`)}
    </select>
    <div class="logs-levels" role="group" aria-label=${words.levels}>
      ${LEVELS.map(
        (level) =>
          html`<button
            class="button small"
            data-level=${level}
            aria-pressed=${filter.levels.has(level)}
            @click=${() => now.toggle(level)}
          >
            ${level}
          </button>`,
      )}
    </div>
    <label class="check">
      <input
        type="checkbox"
        .checked=${wraps}
        @change=${(event: Event) => now.setWraps((event.target as HTMLInputElement).checked)}
      />${words.wrap}
    </label>
  </div>`;
}
