// Schedules and times in the reader's words: "weekdays at 7:30 AM", "tomorrow, 7:30 AM".
import type { CronSchedule } from "@chela/sdk/cron";
import type { InOtherWords, Sections, Words } from "../words/index.ts";
import { ownZone } from "./zone-time.ts";
import { readRhythm, type Days, type Rhythm } from "./rhythm.ts";

type CronWords = InOtherWords<Sections["cron"]>;

const DAY_MS = 86_400_000;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;
/** A Sunday. */
const SUNDAY = Date.UTC(2026, 0, 4);
const UNITS = [
  ["weeks", 7 * DAY_MS],
  ["days", DAY_MS],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1000],
] as const;

/** `said` is what the gateway says of a schedule that is too special for our words; it speaks English. */
export function scheduleWords(schedule: CronSchedule, format: Words, texts: CronWords, said?: string): string {
  switch (schedule.kind) {
    case "at": {
      const at = Date.parse(schedule.at);
      return Number.isNaN(at) ? texts.onceAt(schedule.at) : texts.onceAt(format.date(at));
    }
    case "every":
      return intervalWords(schedule.everyMs, format, texts);
    case "cron": {
      const rhythm = readRhythm(schedule.expr);
      if (!rhythm) return (format.language === "en" ? said : undefined) ?? schedule.expr;
      const words = rhythmWords(rhythm, format, texts);
      // The reader's own zone needs no name.
      return schedule.tz && schedule.tz !== ownZone() ? texts.inZone(words, schedule.tz) : words;
    }
  }
}

function intervalWords(ms: number, format: Words, texts: CronWords): string {
  const [unit, size] = UNITS.find(([, one]) => ms % one === 0) ?? ["seconds", 1000];
  return texts[`every_${unit}`](format.number(ms / size), ms / size);
}

function rhythmWords(rhythm: Rhythm, format: Words, texts: CronWords): string {
  switch (rhythm.kind) {
    case "minutes":
      return texts.every_minutes(format.number(rhythm.every), rhythm.every);
    case "hours": {
      const hours = texts.every_hours(format.number(rhythm.every), rhythm.every);
      return rhythm.minute === 0 ? hours : texts.atMinute(hours, rhythm.minute);
    }
    case "times":
      return texts.daysAt(daysWords(rhythm.days, format, texts), listOf(rhythm.times.map(clock(format)), format));
  }
}

function daysWords(days: Days, format: Words, texts: CronWords): string {
  if (days.kind === "every") return texts.everyDay;
  if (days.kind === "month") return texts.onMonthDays(listOf(days.days.map(String), format), days.days.length);
  const all = days.days.join();
  if (all === "1,2,3,4,5") return texts.weekdays;
  if (all === "6,0") return texts.weekend;
  return texts.onDays(
    listOf(
      days.days.map((day) => weekdayName(day, format, "long")),
      format,
    ),
  );
}

/** 0 is Sunday. */
export function weekdayName(day: number, format: Words, length: "long" | "short" | "narrow"): string {
  return format.date(SUNDAY + day * DAY_MS, { weekday: length, timeZone: "UTC" });
}

const clock =
  (format: Words) =>
  (time: string): string =>
    format.date(Date.parse(`2026-01-04T${time}Z`), { ...CLOCK, timeZone: "UTC" });

function listOf(items: readonly string[], format: Words): string {
  return new Intl.ListFormat(format.language, { type: "conjunction" }).format(items);
}

/** "today, 7:30 AM", "Mon, 7:30 AM", "Dec 24, 7:30 AM". */
export function timeWords(ms: number, format: Words, now = Date.now()): string {
  const days = daysBetween(now, ms);
  if (Math.abs(days) <= 1) {
    const day = new Intl.RelativeTimeFormat(format.language, { numeric: "auto" }).format(days, "day");
    return `${day}, ${format.date(ms, CLOCK)}`;
  }
  if (days > 0 && days < 7) return format.date(ms, { weekday: "short", ...CLOCK });
  const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return format.date(ms, { month: "short", day: "numeric", ...(isThisYear ? {} : { year: "numeric" }), ...CLOCK });
}

/** "in 14 hours", "in 27 hours", "in 3 days". */
export function distanceWords(ms: number, format: Words, now = Date.now()): string {
  const minutes = Math.round((ms - now) / 60_000);
  const inUnit = (count: number, unit: "minute" | "hour" | "day" | "month"): string =>
    new Intl.RelativeTimeFormat(format.language, { numeric: "always" }).format(Math.round(count), unit);
  const length = Math.abs(minutes);
  if (length < 1) return new Intl.RelativeTimeFormat(format.language, { numeric: "auto" }).format(0, "second");
  if (length < 90) return inUnit(minutes, "minute");
  if (length < 48 * 60) return inUnit(minutes / 60, "hour");
  const days = daysBetween(now, ms);
  return Math.abs(days) < 60 ? inUnit(days, "day") : inUnit(days / 30.4, "month");
}

/** How many nights lie between two times, where the reader is. */
function daysBetween(from: number, to: number): number {
  const midnight = (ms: number): number => {
    const date = new Date(ms);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return Math.round((midnight(to) - midnight(from)) / DAY_MS);
}
