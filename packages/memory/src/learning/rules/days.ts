// Days as numbers, so that a text that speaks of "tomorrow" can be given a date without asking a clock.
import { dayWriter } from "@chela/sdk/base";

const DAY_MS = 86_400_000;

/** Days since 1970-01-01. */
export type DayNumber = number;
/** On which day a time is. */
export type DayOfTime = (at: number) => DayNumber;

/** In the zone of this machine, unless one is named. */
export function dayOfTimeIn(zone?: string): DayOfTime {
  const write = dayWriter(zone);
  return (at) => Math.floor(Date.parse(`${write(at)}T00:00:00Z`) / DAY_MS);
}

/** YYYY-MM-DD */
export function writeDay(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekdayOf(day: DayNumber): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Undefined for a day that no calendar has. */
export function dayNumber(year: number, month: number, day: number): DayNumber | undefined {
  if (year < 1900 || year > 2200) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / DAY_MS : undefined;
}

export function yearOf(day: DayNumber): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}
