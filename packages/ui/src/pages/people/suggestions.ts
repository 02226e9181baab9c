// Suggestions of people linked in the configuration to write down as persons, with one button each.
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../words/index.ts";
import { writeId, type PeopleWords, type Suggestion } from "./person-facts.ts";

export function renderSuggestions(
  suggestions: readonly Suggestion[],
  all: Words,
  take: (suggestion: Suggestion) => void,
): TemplateResult {
  const words = all.of("people");
  return html`<section class="people-suggestions" aria-labelledby="people-suggested">
    <div>
      <h2 id="people-suggested">${words.suggested}</h2>
      <p class="muted">${words.suggestedHow}</p>
    </div>
    <ul>
      ${suggestions.map((one) => renderSuggestion(one, words, take))}
    </ul>
  </section>`;
}

function renderSuggestion(
  suggestion: Suggestion,
  words: PeopleWords,
  take: (suggestion: Suggestion) => void,
): TemplateResult {
  const { name, isNew, ids, notes } = suggestion;
  return html`<li class="people-suggestion">
    <div>
      <strong><bdi>${name}</bdi></strong>
      <span class="muted">${isNew ? words.suggestNew : words.suggestMore}</span>
      <div>${ids.map((id) => html`<code>${writeId(id)}</code> `)}</div>
      ${notes.map((note) => html`<p class="hint">${note}</p>`)}
    </div>
    ${
      ids.length > 0
        ? html`<button
            class="button"
            aria-label=${isNew ? words.takeUpName(name) : words.takeMoreName(name)}
            @click=${() => take(suggestion)}
          >
            ${isNew ? words.takeUp : words.takeMore}
          </button>`
        : nothing
    }
  </li>`;
}
