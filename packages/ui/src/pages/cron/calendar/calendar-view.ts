// The calendar of jobs: what ran and what will, by month or week, and everything of the day that is chosen.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { writeRoute } from "../../../app/route.ts";
import { scheduleWords, weekdayName } from "../../../jobs/schedule-words.ts";
import { renderAsked } from "../../../parts/asked.ts";
import { icon } from "../../../parts/icon.ts";
import { Ticking } from "../../../state/ticking.ts";
import {
  dayOf,
  isDay,
  marksByDay,
  rangeOf,
  shiftDay,
  shiftMonth,
  startOf,
  weeksOf,
  type Span,
} from "./calendar-days.ts";
import type { Gathered } from "./calendar-load.ts";
import { CalendarRuns } from "./calendar-runs.ts";
import { dayWords, renderDay } from "./day-cell.ts";
import "./day-view.ts";

type Query = Readonly<Record<string, string>>;

const TICK_MS = 60_000;
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** `<chela-cron-calendar .world .query @query-change>`: the query says which days, and which of them is open. */
class CalendarView extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, query: { attribute: false } };
  declare query: Query;
  readonly #runs = new CalendarRuns(
    this,
    () => this.world.wire,
    () => rangeOf(weeksOf(this.#day, this.#span)),
  );
  /** A key was pressed: the keyboard follows to the day it led to. */
  #isMoving = false;

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  get #span(): Span {
    return this.query["span"] === "week" ? "week" : "month";
  }

  get #day(): string {
    const { on } = this.query;
    return isDay(on) ? on : dayOf(Date.now());
  }

  override updated(): void {
    if (!this.#isMoving) return;
    const day = this.querySelector<HTMLElement>(".cron-day-button[tabindex='0']");
    if (!day) return;
    this.#isMoving = false;
    day.focus();
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#runs.again() };
    return html`${this.#renderHead()}
    ${renderAsked(this.#runs.state, (gathered) => this.#renderCalendar(gathered), retry)}`;
  }

  #renderHead(): TemplateResult {
    const words = this.words("cron");
    const format = this.world.words;
    const span = this.#span;
    const day = this.#day;
    const step = (by: number): string => (span === "week" ? shiftDay(day, by * 7) : shiftMonth(day, by));
    const [first = day, last = day] = [weeksOf(day, span)[0]?.at(0), weeksOf(day, span)[0]?.at(-1)];
    const title =
      span === "month"
        ? format.date(startOf(day), { month: "long", year: "numeric" })
        : `${format.date(startOf(first), { month: "short", day: "numeric" })} – ${format.date(startOf(last), { dateStyle: "medium" })}`;
    const act = (label: string, name: "chevronLeft" | "chevronRight", to: string): TemplateResult =>
      html`<button class="button quiet square" aria-label=${label} title=${label} @click=${() => this.#go(to)}>
        ${icon(name)}
      </button>`;
    return html`<div class="cron-calendar-head">
      <h2 aria-live="polite">${title}</h2>
      <div class="row">
        ${act(words.earlier, "chevronLeft", step(-1))}
        <button class="button small" @click=${() => this.#go(dayOf(Date.now()))}>${words.today}</button>
        ${act(words.later, "chevronRight", step(1))}
      </div>
      <div class="cron-segments" role="group" aria-label=${words.span}>
        ${(["month", "week"] as const).map(
          (one) =>
            html`<button
              class="button quiet small"
              aria-pressed=${one === span ? "true" : "false"}
              @click=${() => this.#change({ span: one })}
            >
              ${words[`span_${one}`]}
            </button>`,
        )}
      </div>
    </div>`;
  }

  #renderCalendar(gathered: Gathered): TemplateResult {
    const words = this.words("cron");
    const days = marksByDay(gathered.marks);
    return html`${this.#renderOften(gathered)} ${this.#renderGrid(days)} ${this.#renderKey()}
      ${gathered.isCut ? html`<p class="hint" role="status">${words.cut}</p>` : nothing}
      <chela-cron-day .world=${this.world} .day=${this.#day} .marks=${days.get(this.#day) ?? []}></chela-cron-day>`;
  }

  #renderOften({ often }: Gathered): TemplateResult | typeof nothing {
    if (often.length === 0) return nothing;
    const words = this.words("cron");
    return html`<p class="cron-often">
      <span class="muted">${words.often}</span>
      ${often.map(
        ({ id, name, schedule, says }) =>
          html`<a href=${writeRoute("cron", [id])}>${name}</a>
            <span>${scheduleWords(schedule, this.world.words, words, says.schedule)}</span>`,
      )}
    </p>`;
  }

  #renderGrid(days: ReturnType<typeof marksByDay>): TemplateResult {
    const words = this.words("cron");
    const format = this.world.words;
    const today = dayOf(Date.now());
    const telling = { texts: words, format, span: this.#span, month: this.#day.slice(0, 7), today, chosen: this.#day };
    return html`<div
      class="card cron-calendar"
      role="grid"
      aria-label=${words.calendar}
      data-span=${this.#span}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
    >
      <div role="row" class="cron-weekdays">
        ${WEEK.map(
          (day) =>
            html`<span role="columnheader" aria-label=${weekdayName(day, format, "long")}
              >${weekdayName(day, format, "short")}</span
            >`,
        )}
      </div>
      ${weeksOf(this.#day, this.#span).map(
        (week) =>
          html`<div role="row" class="cron-week-row">
            ${week.map((day) => renderDay(day, days.get(day) ?? [], telling, () => this.#change({ on: day })))}
          </div>`,
      )}
    </div>`;
  }

  #renderKey(): TemplateResult {
    const words = this.words("cron");
    return html`<ul class="cron-key hint" aria-label=${words.key}>
      ${(["good", "bad", "warn", "future"] as const).map(
        (outcome) => html`<li><i class="cron-dot" data-outcome=${outcome}></i>${dayWords(outcome, words)}</li>`,
      )}
    </ul>`;
  }

  #pressed(event: KeyboardEvent): void {
    const day = this.#day;
    const moves: Readonly<Record<string, () => string>> = {
      ArrowLeft: () => shiftDay(day, -1),
      ArrowRight: () => shiftDay(day, 1),
      ArrowUp: () => shiftDay(day, -7),
      ArrowDown: () => shiftDay(day, 7),
      PageUp: () => shiftMonth(day, -1),
      PageDown: () => shiftMonth(day, 1),
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (!move) return;
    event.preventDefault();
    this.#isMoving = true;
    this.#go(move());
  }

  #go(on: string): void {
    this.#change({ on });
  }

  #change(change: Query): void {
    const { view: _view, ...query } = this.query;
    this.dispatchEvent(new CustomEvent("query-change", { detail: { ...query, ...change } }));
  }
}

customElements.define("chela-cron-calendar", CalendarView);
