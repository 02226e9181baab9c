// Name of a column's days.
import type { Words } from "../../words/index.ts";
import type { DayRange } from "./range.ts";

/** Days are dates, not moments: they are the same in every zone. */
const DAY = { day: "numeric", month: "short", timeZone: "UTC" } as const;
const LONG_DAY = { ...DAY, weekday: "short", year: "numeric" } as const;

export function dayName(date: string, format: Words): string {
  return format.date(Date.parse(date), DAY);
}

/** "2 Jan", or "2 Jan – 8 Jan". */
export function columnName({ startDate, endDate }: DayRange, format: Words): string {
  const first = dayName(startDate, format);
  return startDate === endDate ? first : `${first} – ${dayName(endDate, format)}`;
}

/** With the day of the week, where it is one day. */
export function longColumnName(days: DayRange, format: Words): string {
  return days.startDate === days.endDate ? format.date(Date.parse(days.startDate), LONG_DAY) : columnName(days, format);
}
