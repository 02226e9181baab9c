// Draft of a job's schedule: every way of saying it keeps what was typed, whichever is chosen.
import type { CronSchedule } from "@chela/sdk/cron";
import { numbersOf, readRhythm, writeTimes, type Days } from "../../../jobs/rhythm.ts";
import { instantOf, ownZone, wallOf } from "../../../jobs/zone-time.ts";

export const WHEN_KINDS = ["once", "every", "times", "expression"] as const;
type WhenKind = (typeof WHEN_KINDS)[number];

export const UNITS = ["minutes", "hours", "days", "weeks"] as const;
export type Unit = (typeof UNITS)[number] | "seconds";

const UNIT_MS: Readonly<Record<Unit, number>> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};

export interface WhenDraft {
  readonly kind: WhenKind;
  /** Of wall clock times. "": the gateway's own. */
  readonly zone: string;
  /** As a date field writes it. */
  readonly once: string;
  readonly count: string;
  readonly unit: Unit;
  readonly times: readonly string[];
  readonly rhythm: "week" | "month";
  readonly weekdays: readonly number[];
  /** As it is typed: 1, 15. */
  readonly monthDays: string;
  readonly expression: string;
}

export type WhenProblem =
  | "onceMissing"
  | "everyWrong"
  | "timesMissing"
  | "timesDiffer"
  | "weekdaysMissing"
  | "monthDaysWrong"
  | "expressionMissing";

export type ReadWhen =
  | { readonly kind: "fine"; readonly schedule: CronSchedule }
  | { readonly kind: "problem"; readonly problem: WhenProblem };

const ALL_WEEK = [1, 2, 3, 4, 5, 6, 0];
const EVERY_LEAST_MS = 1000;

export function emptyWhen(now = Date.now()): WhenDraft {
  const zone = ownZone();
  return {
    kind: "times",
    zone,
    once: `${wallOf(now + UNIT_MS.days, zone).slice(0, 10)}T09:00`,
    count: "15",
    unit: "minutes",
    times: ["07:30"],
    rhythm: "week",
    weekdays: ALL_WEEK,
    monthDays: "1",
    expression: "0 9 * * 1-5",
  };
}

/** `nextRunAt` is when it would run: only the gateway knows its own zone. */
export function whenOf(schedule: CronSchedule, nextRunAt?: number): WhenDraft {
  const empty = emptyWhen();
  switch (schedule.kind) {
    case "at": {
      const at = hasZone(schedule.at) ? Date.parse(schedule.at) : (nextRunAt ?? Date.parse(schedule.at));
      return { ...empty, kind: "once", once: Number.isNaN(at) ? "" : wallOf(at, empty.zone) };
    }
    case "every":
      return { ...empty, kind: "every", ...splitInterval(schedule.everyMs) };
    case "cron":
      return { ...empty, ...timesOf(schedule.expr), zone: schedule.tz ?? "", expression: schedule.expr };
  }
}

function timesOf(expression: string): Pick<WhenDraft, "kind"> & Partial<WhenDraft> {
  const rhythm = readRhythm(expression);
  if (rhythm?.kind !== "times") return { kind: "expression" };
  const { times, days } = rhythm;
  switch (days.kind) {
    case "every":
      return { kind: "times", times, rhythm: "week", weekdays: ALL_WEEK };
    case "week":
      return { kind: "times", times, rhythm: "week", weekdays: days.days };
    case "month":
      return { kind: "times", times, rhythm: "month", monthDays: days.days.join(", ") };
  }
}

/** The largest unit it is a whole number of. */
export function splitInterval(ms: number): { readonly count: string; readonly unit: Unit } {
  const units = ["weeks", "days", "hours", "minutes", "seconds"] as const;
  const unit = units.find((one) => ms % UNIT_MS[one] === 0) ?? "seconds";
  return { count: String(ms / UNIT_MS[unit]), unit };
}

/** What the fields say, as far as this page can tell: whether an expression makes sense, the gateway knows. */
export function readWhen(when: WhenDraft): ReadWhen {
  switch (when.kind) {
    case "once": {
      const at = instantOf(when.once, when.zone || ownZone());
      return at === undefined
        ? problem("onceMissing")
        : { kind: "fine", schedule: { kind: "at", at: new Date(at).toISOString() } };
    }
    case "every": {
      const everyMs = Math.round(Number(when.count) * UNIT_MS[when.unit]);
      const isFit = when.count.trim() !== "" && Number.isSafeInteger(everyMs) && everyMs >= EVERY_LEAST_MS;
      return isFit ? { kind: "fine", schedule: { kind: "every", everyMs } } : problem("everyWrong");
    }
    case "times":
      return readTimes(when);
    case "expression":
      return when.expression.trim() === "" ? problem("expressionMissing") : expression(when.expression.trim(), when);
  }
}

function readTimes(when: WhenDraft): ReadWhen {
  const times = [...new Set(when.times.filter(Boolean))].sort();
  if (times.length === 0) return problem("timesMissing");
  const days = daysOf(when);
  if (!days) return problem(when.rhythm === "week" ? "weekdaysMissing" : "monthDaysWrong");
  const written = writeTimes(times, days);
  return written === undefined ? problem("timesDiffer") : expression(written, when);
}

function daysOf({ rhythm, weekdays, monthDays }: WhenDraft): Days | undefined {
  if (rhythm === "week") {
    if (weekdays.length === 0) return undefined;
    return weekdays.length === ALL_WEEK.length ? { kind: "every" } : { kind: "week", days: weekdays };
  }
  const days = numbersOf(monthDays.trim().replaceAll(/[\s,;]+/g, ","), 1, 31);
  return days && { kind: "month", days };
}

function expression(expr: string, { zone }: WhenDraft): ReadWhen {
  return { kind: "fine", schedule: { kind: "cron", expr, ...(zone ? { tz: zone } : {}) } };
}

function problem(name: WhenProblem): ReadWhen {
  return { kind: "problem", problem: name };
}

function hasZone(text: string): boolean {
  return /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(text.trim());
}
