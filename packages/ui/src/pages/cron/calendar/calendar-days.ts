// Days of the reader's calendar, and what happens on them. A day is written YYYY-MM-DD.
import type { JobRun, Outcome } from "../../../jobs/run-facts.ts";

export type Span = "month" | "week";

/** Something that ran, or will. */
export interface Mark {
  readonly jobId: string;
  readonly name: string;
  readonly at: number;
  readonly outcome: Outcome | "future";
  /** Missing where it has not happened. */
  readonly run?: JobRun;
}

/** Marks of one job that look the same, on one day. */
export interface Block extends Pick<Mark, "jobId" | "name" | "at" | "outcome"> {
  readonly count: number;
}

const DAYS_OF_WEEK = 7;

export function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(startOf(text)) === text;
}

/** Midnight, or the first instant of a day that has none. */
export function startOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}

export function shiftDay(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date + days, 12).getTime());
}

/** The same day of another month, or its last one. */
export function shiftMonth(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(year, month + months, 0).getDate();
  return dayOf(new Date(year, month - 1 + months, Math.min(date, last), 12).getTime());
}

/** Whole weeks, from Monday on. */
export function weeksOf(day: string, span: Span): string[][] {
  if (span === "week") return [weekFrom(monday(day))];
  const first = `${day.slice(0, 7)}-01`;
  const weeks: string[][] = [];
  for (let start = monday(first); start.slice(0, 7) <= day.slice(0, 7); start = shiftDay(start, DAYS_OF_WEEK))
    weeks.push(weekFrom(start));
  return weeks;
}

function monday(day: string): string {
  return shiftDay(day, -((new Date(startOf(day)).getDay() + 6) % DAYS_OF_WEEK));
}

function weekFrom(start: string): string[] {
  return Array.from({ length: DAYS_OF_WEEK }, (_, at) => shiftDay(start, at));
}

/** From the first instant shown to the first one after. */
export function rangeOf(weeks: readonly (readonly string[])[]): { readonly from: number; readonly to: number } {
  const [first = "1970-01-01", last = first] = [weeks.at(0)?.at(0), weeks.at(-1)?.at(-1)];
  return { from: startOf(first), to: startOf(shiftDay(last, 1)) };
}

export function marksByDay(marks: readonly Mark[]): ReadonlyMap<string, readonly Mark[]> {
  return Map.groupBy(
    marks.toSorted((one, other) => one.at - other.at),
    ({ at }) => dayOf(at),
  );
}

/** In the order in which each first happens. */
export function blocksOf(marks: readonly Mark[]): Block[] {
  const groups = Map.groupBy(marks, ({ jobId, outcome }) => `${outcome} ${jobId}`);
  return [...groups.values()].map((group) => {
    const [{ jobId, name, at, outcome }] = group as [Mark];
    return { jobId, name, at, outcome, count: group.length };
  });
}
