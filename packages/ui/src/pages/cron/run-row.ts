// One run of a job, in one line; what it said, why it failed and where its result went open below.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import { factsOfRun, type JobRun } from "../../jobs/run-facts.ts";
import { timeWords } from "../../jobs/schedule-words.ts";
import { icon } from "../../parts/icon.ts";
import type { InOtherWords, Sections, Words } from "../../words/index.ts";
import { renderMarks } from "./marks.ts";

export interface RunTelling {
  readonly texts: InOtherWords<Sections["cron"]>;
  readonly format: Words;
  channel(id: string): string;
  readonly hasExplain: boolean;
}

export function renderRun(run: JobRun, telling: RunTelling): TemplateResult {
  const { texts, format } = telling;
  const facts = factsOfRun(run);
  const why = facts.executed === "error" ? facts.error : (facts.deliveryError ?? facts.error);
  const brief = run.isAlert ? texts.alertSent : (why ?? firstLine(run.summary));
  const at = run.skipped?.last ?? run.runAtMs ?? run.ts;
  return html`<details class="cron-run">
    <summary>
      <time title=${format.date(at, { dateStyle: "medium", timeStyle: "medium" })}>${timeWords(at, format)}</time>
      ${renderMarks(facts, texts)}
      <span class="cron-run-brief cut" ?data-bad=${why !== undefined && facts.executed !== "skipped"}>${brief}</span>
      <span class="cron-run-took"
        >${run.durationMs === undefined || run.skipped ? nothing : format.duration(run.durationMs)}</span
      >
      ${icon("chevronDown")}
    </summary>
    ${renderMore(run, telling, why)}
  </details>`;
}

function firstLine(text: string | undefined): string {
  return text?.trim().split("\n")[0] ?? "";
}

function renderMore(run: JobRun, telling: RunTelling, why: string | undefined): TemplateResult {
  const { texts, format } = telling;
  const fact = (name: string, value: unknown): TemplateResult | typeof nothing =>
    value === undefined || value === ""
      ? nothing
      : html`<dt>${name}</dt>
          <dd>${value}</dd>`;
  const isLate = run.dueAtMs !== undefined && run.runAtMs !== undefined && run.runAtMs - run.dueAtMs > 1000;
  return html`<div class="cron-run-more">
    ${why ? html`<p class=${run.executed === "skipped" ? "muted" : "problem"}>${why}</p>` : nothing}
    ${run.summary ? html`<blockquote class="cron-said">${run.summary}</blockquote>` : nothing}
    <dl class="pairs cron-pairs">
      ${fact(texts.began, run.trigger === "force" ? texts.byHand : undefined)}
      ${fact(texts.dueAt, isLate && run.dueAtMs !== undefined ? format.date(run.dueAtMs) : undefined)}
      ${fact(texts.model, run.model)}
      ${fact(texts.tokens, run.usage ? format.number(run.usage.total_tokens) : undefined)}
      ${renderReceipts(run, telling)}
    </dl>
    ${renderLinks(run, telling)}
  </div>`;
}

/** Where the result is, in the words of whoever took it. */
function renderReceipts({ receipts = [] }: JobRun, { texts, channel }: RunTelling): unknown {
  return receipts.map(({ channel: id, to, messageId }) => {
    const place = [channel(id), to].join(" · ");
    return html`<dt>${texts.receipt}</dt>
      <dd>${place}${messageId ? html` <span class="mono muted">${messageId}</span>` : nothing}</dd>`;
  });
}

/** Only a turn has a conversation to look at, and something to explain. */
function renderLinks(run: JobRun, { texts, hasExplain }: RunTelling): TemplateResult | typeof nothing {
  if (run.model === undefined && run.sessionId === undefined) return nothing;
  return html`<p class="row wrap">
    ${
      run.sessionKey
        ? html`<a class="button small" href=${writeRoute("chat", [run.sessionKey])}
            >${icon("chat")}${texts.openSession}</a
          >`
        : nothing
    }
    ${
      hasExplain
        ? html`<a class="button small" href=${writeRoute("explain", [run.runId])}
            >${icon("explain")}${texts.explain}</a
          >`
        : nothing
    }
  </p>`;
}
