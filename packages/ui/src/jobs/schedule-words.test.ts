// Schedules and times as people read them.
import { expect, it } from "vitest";
import { Words } from "../words/index.ts";
import de from "../words/de/pages/cron.ts";
import en from "../pages/cron/words.ts";
import { distanceWords, scheduleWords, timeWords, weekdayName } from "./schedule-words.ts";

const english = new Words("en");
const cron = (expr: string, tz?: string) => ({ kind: "cron", expr, ...(tz ? { tz } : {}) }) as const;
/** Formats have narrow spaces in some places. */
const plain = (text: string): string => text.replaceAll(/\s/g, " ");
const say = (expr: string, tz?: string): string => plain(scheduleWords(cron(expr, tz), english, en));

it.each([
  ["30 7 * * 1-5", "Weekdays at 7:30 AM"],
  ["0 9,18 * * *", "Every day at 9:00 AM and 6:00 PM"],
  ["0 10 * * 6,0", "Weekends at 10:00 AM"],
  ["0 10 * * 1,3", "Monday and Wednesday at 10:00 AM"],
  ["0 8 1,15 * *", "Days 1 and 15 of each month at 8:00 AM"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["20 * * * *", "Every hour, at minute 20"],
])("tells %s in words", (expr, words) => {
  expect(say(expr)).toBe(words);
});

it("names a zone that is not the reader's", () => {
  expect(say("30 7 * * *", "Pacific/Apia")).toBe("Every day at 7:30 AM (Pacific/Apia)");
});

it("leaves to the gateway what is too special, in the language it speaks", () => {
  expect(scheduleWords(cron("0 8 L * *"), english, en, "at 08:00 on the last day")).toBe("at 08:00 on the last day");
  expect(scheduleWords(cron("0 8 L * *"), new Words("de"), de, "at 08:00 on the last day")).toBe("0 8 L * *");
});

it("tells intervals in the largest unit that fits", () => {
  const every = (everyMs: number): string => scheduleWords({ kind: "every", everyMs }, english, en);
  expect([every(1000), every(900_000), every(5_400_000), every(86_400_000)]).toEqual([
    "Every second",
    "Every 15 minutes",
    "Every 90 minutes",
    "Every 24 hours",
  ]);
});

it("says when by what is nearest", () => {
  const now = new Date(2026, 10, 16, 12).getTime();
  const at = (day: number, hour: number): string =>
    plain(timeWords(new Date(2026, 10, day, hour, 30).getTime(), english, now));
  expect(at(16, 18)).toBe("today, 6:30 PM");
  expect(at(17, 7)).toBe("tomorrow, 7:30 AM");
  expect(at(20, 7)).toBe("Fri 7:30 AM");
  expect(at(30, 7)).toBe("Nov 30, 7:30 AM");
  expect(plain(timeWords(new Date(2027, 0, 2, 7).getTime(), english, now))).toBe("Jan 2, 2027, 7:00 AM");
});

it("says how far away something is", () => {
  const now = new Date(2026, 10, 16, 12).getTime();
  const away = (minutes: number): string => distanceWords(now + minutes * 60_000, english, now);
  expect([away(0), away(75), away(60 * 14), away(60 * 30), away(-120), away(60 * 24 * 4.4)]).toEqual([
    "now",
    "in 75 minutes",
    "in 14 hours",
    "in 30 hours",
    "2 hours ago",
    "in 4 days",
  ]);
});

it("names the days of a week", () => {
  expect([0, 1, 6].map((day) => weekdayName(day, english, "short"))).toEqual(["Sun", "Mon", "Sat"]);
});
