// The next times something runs, each with how long it is until then.
import { html, type TemplateResult } from "lit";
import { distanceWords, timeWords } from "../../jobs/schedule-words.ts";
import type { InOtherWords, Sections, Words } from "../../words/index.ts";

export function renderInstants(
  instants: readonly number[],
  format: Words,
  texts: InOtherWords<Sections["cron"]>,
): TemplateResult {
  const now = Date.now();
  return html`<ol class="cron-instants" aria-label=${texts.nextRuns}>
    ${instants.map(
      (at) =>
        html`<li>
          <time title=${format.date(at)}>${timeWords(at, format, now)}</time>
          <small>${distanceWords(Math.max(at, now), format, now)}</small>
        </li>`,
    )}
  </ol>`;
}
