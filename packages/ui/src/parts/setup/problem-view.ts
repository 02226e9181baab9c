// Problem of a provider, what to do about it, and what it said itself.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../icon.ts";
import type { Problem } from "./take-model.ts";

export function renderProblem({ message, fix, detail }: Problem, detailLabel: string): TemplateResult {
  return html`<div class="setup-problem" role="alert">
    ${icon("warning")}
    <div>
      <p><strong>${message}</strong></p>
      ${fix ? html`<p>${fix}</p>` : nothing}
      ${
        detail
          ? html`<details>
              <summary>${detailLabel}</summary>
              <p class="mono">${detail}</p>
            </details>`
          : nothing
      }
    </div>
  </div>`;
}
