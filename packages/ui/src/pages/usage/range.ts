// Range of days that are looked at. A day is one of the reader's calendar, written YYYY-MM-DD.

export interface DayRange {
  readonly startDate: string;
  readonly endDate: string;
}

export const USUAL_RANGES = [7, 30, 90] as const;
const FIRST_CHOICE = 30;
const MOST_DAYS = 3660;
const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;

export interface ChosenRange extends DayRange {
  readonly choice: (typeof USUAL_RANGES)[number] | "custom";
}

/** What the address says; what cannot be read there counts as nothing said. */
export function readRange(query: Readonly<Record<string, string>>, today: string): ChosenRange {
  const { from, to } = query;
  if (isDate(from) && isDate(to) && from <= to) {
    const earliest = shiftDate(to, 1 - MOST_DAYS);
    return { choice: "custom", startDate: from < earliest ? earliest : from, endDate: to };
  }
  const choice = USUAL_RANGES.find((days) => String(days) === query["days"]) ?? FIRST_CHOICE;
  return { choice, startDate: shiftDate(today, 1 - choice), endDate: today };
}

export function isDate(text: string | undefined): text is string {
  return text !== undefined && DATE.test(text) && !Number.isNaN(Date.parse(text));
}

function shiftDate(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

export function countDays({ startDate, endDate }: DayRange): number {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS) + 1;
}

export function datesOf(range: DayRange): string[] {
  return Array.from({ length: countDays(range) }, (_, at) => shiftDate(range.startDate, at));
}

/** As many days, right before. */
export function rangeBefore(range: DayRange): DayRange {
  return { startDate: shiftDate(range.startDate, -countDays(range)), endDate: shiftDate(range.startDate, -1) };
}

export function localDate(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** "UTC+5:30", from what `getTimezoneOffset` says. */
export function offsetName(minutesWest: number): string {
  const minutes = Math.abs(minutesWest);
  const rest = String(minutes % 60).padStart(2, "0");
  return `UTC${minutesWest > 0 ? "-" : "+"}${Math.floor(minutes / 60)}:${rest}`;
}

/** What to ask the gateway for, so that its days are those of the reader. */
export function askFor({ startDate, endDate }: DayRange, now = new Date()) {
  return { startDate, endDate, mode: "specific", utcOffset: offsetName(now.getTimezoneOffset()) } as const;
}
