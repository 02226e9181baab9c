// Outcomes of repairs: what was put right, and what was not and why.
import { html, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { icon } from "../../parts/icon.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";

export type Outcome = MethodAnswer<"security.fix">["fixes"][number] & { readonly title: string };

export interface OutcomeContext {
  readonly words: InOtherWords<Sections["security"]>;
  readonly dismiss: string;
  onDismiss(): void;
}

export function renderOutcomes(
  outcomes: readonly Outcome[],
  { words, dismiss, onDismiss }: OutcomeContext,
): TemplateResult {
  return html`<div class="security-outcomes">
    <header>
      <h3>${words.outcomes}</h3>
      <button class="button quiet square small" aria-label=${dismiss} title=${dismiss} @click=${onDismiss}>
        ${icon("close")}
      </button>
    </header>
    <ul>
      ${outcomes.map(
        ({ title, done, says }) =>
          html`<li>
            <span class="badge ${done ? "good" : "bad"}">${done ? words.done : words.notDone}</span>
            <div>
              <p>${title}</p>
              <p class="hint">${says}</p>
            </div>
          </li>`,
      )}
    </ul>
  </div>`;
}
