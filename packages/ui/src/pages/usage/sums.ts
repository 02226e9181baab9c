// Sums of use: added up, put into days and groups of days, and compared.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { datesOf, type DayRange } from "./range.ts";

type DayRow = MethodAnswer<"usage.cost">["daily"][number];

/** What is counted apart, from the bottom of a column to its top. */
export const KINDS = ["cacheRead", "cacheWrite", "input", "output"] as const;
export type Kind = (typeof KINDS)[number];
export type Measure = "cost" | "tokens";

export interface Used {
  readonly tokens: Readonly<Record<Kind, number>>;
  readonly cost: Readonly<Record<Kind, number>>;
  readonly unpriced: number;
}

/** One column of the chart: a day, a week or a month. */
export interface Column extends DayRange {
  readonly used: Used;
}

const NONE: Readonly<Record<Kind, number>> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const WEEK = 7;
/** With more days than this a column is a week; with still more, a month. */
const MOST_DAY_COLUMNS = 120;
const MOST_WEEK_COLUMNS = 104;

export function usedOn(rows: readonly DayRow[]): Used {
  return addUp(
    rows.map((row) => ({
      tokens: { input: row.input, output: row.output, cacheRead: row.cacheRead, cacheWrite: row.cacheWrite },
      cost: {
        input: row.inputCost ?? 0,
        output: row.outputCost ?? 0,
        cacheRead: row.cacheReadCost ?? 0,
        cacheWrite: row.cacheWriteCost ?? 0,
      },
      unpriced: row.missingCostEntries,
    })),
  );
}

export function addUp(all: readonly Used[]): Used {
  return {
    tokens: addKinds(all.map(({ tokens }) => tokens)),
    cost: addKinds(all.map(({ cost }) => cost)),
    unpriced: all.reduce((sum, { unpriced }) => sum + unpriced, 0),
  };
}

function addKinds(all: ReadonlyArray<Readonly<Record<Kind, number>>>): Record<Kind, number> {
  const sum = { ...NONE };
  for (const one of all) for (const kind of KINDS) sum[kind] += one[kind];
  return sum;
}

export function totalOf(used: Used, measure: Measure): number {
  return KINDS.reduce((sum, kind) => sum + used[measure][kind], 0);
}

export function within(rows: readonly DayRow[], { startDate, endDate }: DayRange): DayRow[] {
  return rows.filter(({ date }) => date >= startDate && date <= endDate);
}

/** Every day of the range, those without use as well. */
export function columnsOf(rows: readonly DayRow[], range: DayRange): Column[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const days = datesOf(range).map((date) => {
    const row = byDate.get(date);
    return { startDate: date, endDate: date, used: usedOn(row ? [row] : []) };
  });
  if (days.length <= MOST_DAY_COLUMNS) return days;
  const isByWeek = days.length <= MOST_WEEK_COLUMNS * WEEK;
  return join(days, (day, at) => (isByWeek ? String(Math.floor(at / WEEK)) : day.startDate.slice(0, 7)));
}

function join(days: readonly Column[], nameOf: (day: Column, at: number) => string): Column[] {
  const groups = new Map<string, Column[]>();
  for (const [at, day] of days.entries()) {
    const name = nameOf(day, at);
    groups.set(name, [...(groups.get(name) ?? []), day]);
  }
  return [...groups.values()].map((group) => ({
    startDate: group[0]?.startDate ?? "",
    endDate: group.at(-1)?.endDate ?? "",
    used: addUp(group.map(({ used }) => used)),
  }));
}

/** How much of what the models read they had read before: 1 is all. Undefined when they read nothing. */
export function cacheShare({ tokens }: Used): number | undefined {
  const read = tokens.input + tokens.cacheRead;
  return read > 0 ? tokens.cacheRead / read : undefined;
}

/** 0.5 is half as much again. Undefined when there was nothing to compare with. */
export function changeOf(now: number, before: number): number | undefined {
  return before > 0 ? now / before - 1 : undefined;
}

export function busiest(columns: readonly Column[], measure: Measure): Column | undefined {
  const top = Math.max(0, ...columns.map(({ used }) => totalOf(used, measure)));
  return top > 0 ? columns.find(({ used }) => totalOf(used, measure) === top) : undefined;
}
