// Result of checking the chain: all well in green, or every problem with the event it is about, in red.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { icon } from "../../parts/icon.ts";
import type { Words } from "../../words/index.ts";
import type { AuditWords } from "./event-words.ts";

type Report = MethodAnswer<"audit.verify">;
type Problem = Report["problems"][number];

interface Result {
  readonly report: Report;
  readonly words: AuditWords;
  readonly format: Words;
  /** The address of one event. */
  hrefOf(seq: number): string;
  copy(hash: string): void;
  hide(): void;
}

export function renderVerification(result: Result): TemplateResult {
  return html`<section
    class="audit-result"
    data-tone=${result.report.ok ? "good" : "bad"}
    aria-label=${result.words.verify}
  >
    ${icon(result.report.ok ? "check" : "warning")}
    <div class="audit-result-words">${result.report.ok ? renderWhole(result) : renderBroken(result)}</div>
    <button
      class="button quiet square small"
      aria-label=${result.words.hideResult}
      title=${result.words.hideResult}
      @click=${() => result.hide()}
    >
      ${icon("close")}
    </button>
  </section>`;
}

function renderWhole({ report, words, format, copy }: Result): TemplateResult {
  const { checked, head } = report;
  if (checked === 0) return html`<p>${words.wholeEmpty}</p>`;
  return html`<h2>${words.whole(format.number(checked), checked)}</h2>
    <p>${words.wholeHint}</p>
    <p class="audit-hash">
      <code>${head}</code>
      <button
        class="button quiet square small"
        aria-label=${words.copyHash}
        title=${words.copyHash}
        @click=${() => copy(head)}
      >
        ${icon("copy")}
      </button>
    </p>`;
}

function renderBroken(result: Result): TemplateResult {
  const { report, words, format } = result;
  return html`<h2>${words.broken(report.problems.length)}</h2>
    <p>${words.brokenHint(format.number(report.checked))}</p>
    <ul class="audit-problems">
      ${report.problems.map((problem) => renderProblem(problem, result))}
    </ul>`;
}

function renderProblem({ kind, seq, says }: Problem, { report, words, format, hrefOf }: Result): TemplateResult {
  // What is missing cannot be looked at.
  const isThere = kind !== "missing" && kind !== "lost" && seq >= report.from && seq <= report.to;
  return html`<li>
    <span class="badge bad">${words[`problem_${kind}`]}</span>
    <span>${says}</span>
    ${isThere ? html`<a href=${hrefOf(seq)}>${words.showEvent(format.number(seq))}</a>` : nothing}
  </li>`;
}
