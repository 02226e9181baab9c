// A day of the calendar: what happens on it, as blocks where there is room and as dots where there is not.
import { html, nothing, type TemplateResult } from "lit";
import { weekdayName } from "../../../jobs/schedule-words.ts";
import type { InOtherWords, Sections, Words } from "../../../words/index.ts";
import { blocksOf, startOf, type Block, type Mark, type Span } from "./calendar-days.ts";

type CronWords = InOtherWords<Sections["cron"]>;

export interface DayTelling {
  readonly texts: CronWords;
  readonly format: Words;
  readonly span: Span;
  readonly month: string;
  readonly today: string;
  readonly chosen: string;
}

const MOST_BLOCKS: Readonly<Record<Span, number>> = { month: 3, week: 24 };
const MOST_DOTS = 6;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

export function dayWords(outcome: Mark["outcome"], texts: CronWords): string {
  return texts[`outcome_${outcome}`];
}

export function renderDay(
  day: string,
  marks: readonly Mark[],
  telling: DayTelling,
  choose: () => void,
): TemplateResult {
  const { format, span, month, today, chosen } = telling;
  const blocks = blocksOf(marks);
  const shown = blocks.slice(0, MOST_BLOCKS[span]);
  const isChosen = day === chosen;
  return html`<div
    class="cron-day"
    role="gridcell"
    aria-selected=${isChosen ? "true" : "false"}
    ?data-today=${day === today}
    ?data-other=${span === "month" && day.slice(0, 7) !== month}
  >
    <button
      type="button"
      class="cron-day-button"
      tabindex=${isChosen ? "0" : "-1"}
      aria-label=${labelOf(day, marks, telling)}
      aria-current=${day === today ? "date" : nothing}
      @click=${choose}
    >
      ${format.date(startOf(day), { day: "numeric" })}
    </button>
    <span class="cron-day-name" aria-hidden="true"
      >${weekdayName(new Date(startOf(day)).getDay(), format, "short")}</span
    >
    <span class="cron-blocks" aria-hidden="true">
      ${shown.map((block) => renderBlock(block, format))}
      ${blocks.length > shown.length ? html`<small>+${format.number(blocks.length - shown.length)}</small>` : nothing}
    </span>
    <span class="cron-dots" aria-hidden="true">
      ${blocks.slice(0, MOST_DOTS).map(({ outcome }) => html`<i class="cron-dot" data-outcome=${outcome}></i>`)}
    </span>
  </div>`;
}

function renderBlock({ name, at, outcome, count }: Block, format: Words): TemplateResult {
  return html`<span class="cron-block" data-outcome=${outcome}>
    <i class="cron-dot" data-outcome=${outcome}></i>
    <span class="cron-block-name">${name}</span>
    <small>${count > 1 ? `×${format.number(count)}` : format.date(at, CLOCK)}</small>
  </span>`;
}

/** "Monday, November 16: 3 done, 1 failed". */
function labelOf(day: string, marks: readonly Mark[], { texts, format }: DayTelling): string {
  const name = format.date(startOf(day), { weekday: "long", month: "long", day: "numeric" });
  const counts = (["good", "bad", "warn", "busy", "future"] as const)
    .map((outcome) => ({ outcome, count: marks.filter((mark) => mark.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${format.number(count)} ${dayWords(outcome, texts)}`);
  return counts.length === 0 ? name : `${name}: ${counts.join(", ")}`;
}
