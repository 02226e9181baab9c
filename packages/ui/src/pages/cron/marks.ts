// Two marks for what became of a run: carried out or not, arrived or not.
import { html, nothing, type TemplateResult } from "lit";
import { outcomeOf, type Outcome, type RunFacts } from "../../jobs/run-facts.ts";
import { icon, type IconName } from "../../parts/icon.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";

type CronWords = InOtherWords<Sections["cron"]>;

const ICONS: Readonly<Record<Outcome, IconName>> = {
  good: "check",
  bad: "close",
  warn: "pause",
  busy: "play",
  soft: "cron",
};

/** The reasons stand in the titles; where they matter they are written out as well. */
export function renderMarks(facts: RunFacts, texts: CronWords): TemplateResult {
  const { executed, delivered, error, deliveryError } = facts;
  return html`<span class="cron-marks">
    ${renderMark(outcomeOf({ executed }), texts[`executed_${executed}`], error)}
    ${
      delivered === undefined || delivered === "not-requested"
        ? nothing
        : renderMark(toneOf(delivered), texts[`delivered_${delivered}`], deliveryError)
    }
  </span>`;
}

function toneOf(delivered: NonNullable<RunFacts["delivered"]>): Outcome {
  return delivered === "under-way" ? "busy" : outcomeOf({ executed: "ok", delivered });
}

function renderMark(tone: Outcome, text: string, why: string | undefined): TemplateResult {
  return html`<span class="cron-mark" data-tone=${tone} title=${why ?? nothing}>${icon(ICONS[tone])}${text}</span>`;
}
