// Reads which days a question about use means, and where such a day begins.
import { invalid } from "@chela/sdk/protocol";

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;
const USUAL_DAYS = 30;

export interface AskedDays {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly days?: number | undefined;
  readonly mode?: "utc" | "gateway" | "specific" | undefined;
  readonly utcOffset?: string | undefined;
}

export interface Days {
  readonly from: number;
  readonly to: number;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
  /** First and last day, YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
  readonly count: number;
}

export function readDays(asked: AskedDays, now: number): Days {
  const offsetMinutes = offsetOf(asked, now);
  const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) - offsetMinutes * 60_000;
  const endDate = readDate(asked.endDate) ?? dateOf(now, offsetMinutes);
  const to = startOfDay(endDate) + DAY_MS;
  const start = readDate(asked.startDate);
  const from = start ? startOfDay(start) : to - (asked.days ?? USUAL_DAYS) * DAY_MS;
  if (from >= to) throw invalid("startDate must not be after endDate");
  const startDate = dateOf(from, offsetMinutes);
  return { from, to, offsetMinutes, startDate, endDate, count: Math.round((to - from) / DAY_MS) };
}

export function dateOf(at: number, offsetMinutes: number): string {
  return new Date(at + offsetMinutes * 60_000).toISOString().slice(0, 10);
}

function readDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!DATE.test(text) || Number.isNaN(Date.parse(text))) throw invalid(`not a date: "${text}" (write YYYY-MM-DD)`);
  return text;
}

function offsetOf(asked: AskedDays, now: number): number {
  if (asked.mode === "gateway") return -new Date(now).getTimezoneOffset();
  if (asked.mode !== "specific") return 0;
  const match = /^UTC(?:([+-])(\d{1,2})(?::?(\d\d))?)?$/i.exec(asked.utcOffset ?? "");
  if (!match) throw invalid(`not an offset: "${asked.utcOffset ?? ""}" (write for instance UTC+5:30)`);
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return match[1] === "-" ? -minutes : minutes;
}
