import type { CronSchedule } from "@chela/sdk";
import { describe, expect, test } from "vitest";
import { describeNext, describeSchedule } from "./index.ts";

describe("a schedule in words", () => {
  test.each<[CronSchedule, string]>([
    [{ kind: "every", everyMs: 900_000 }, "every 15 minutes"],
    [{ kind: "every", everyMs: 5_400_000 }, "every 1 hour 30 minutes"],
    [{ kind: "every", everyMs: 86_400_000 }, "every day"],
    [{ kind: "every", everyMs: 1_209_600_000 }, "every 2 weeks"],
    [{ kind: "every", everyMs: 1500 }, "every 1 second 500 ms"],
    [{ kind: "at", at: "2026-08-03T09:00" }, "once, on Mon 3 Aug 2026 at 09:00"],
    [{ kind: "at", at: "2026-08-03T09:00:00+02:00" }, "once, on Mon 3 Aug 2026 at 09:00 (+02:00)"],
    [{ kind: "at", at: "2026-08-03T09:00:30Z" }, "once, on Mon 3 Aug 2026 at 09:00:30 (UTC)"],
    [{ kind: "at", at: "soon" }, "once, at soon"],
    [{ kind: "cron", expr: "30 7 * * 1-5", tz: "Europe/Stockholm" }, "at 07:30 on weekdays (Europe/Stockholm)"],
  ])("%o: %s", (schedule, words) => {
    expect(describeSchedule(schedule)).toBe(words);
  });

  test.each([
    ["* * * * *", "every minute"],
    ["*/15 * * * *", "every 15 minutes"],
    ["*/10 * * * * *", "every 10 seconds"],
    ["0 * * * *", "every hour"],
    ["5 * * * *", "every hour at minute 5"],
    ["0 */2 * * *", "every 2 hours"],
    ["*/15 * * * MON-FRI", "every 15 minutes, on weekdays"],
    ["0 7 * * *", "at 07:00 every day"],
    ["@daily", "at 00:00 every day"],
    ["0 7,19 * * *", "at 07:00 and 19:00 every day"],
    ["0 9 * * 0,6", "at 09:00 on weekends"],
    ["0 9 * * sun,wed", "at 09:00 on Wednesdays and Sundays"],
    ["0 9 * * 1-7", "at 09:00 every day"],
    ["0 9 1,15 * *", "at 09:00 on the 1st and 15th of every month"],
    ["0 18 24 12 *", "at 18:00 on the 24th of December"],
    ["0 8 L * *", "at 08:00 on the last day of every month"],
    ["0 8 * jun-aug 1", "at 08:00 on Mondays in June, July and August"],
    // A rhythm that is none, and what words would only make longer.
    ["*/7 * * * *", "cron */7 * * * *"],
    ["0 9 * * 5#2", "cron 0 9 * * 5#2"],
    ["0 9 1 * 1", "cron 0 9 1 * 1"],
    ["10-20 * * * *", "cron 10-20 * * * *"],
    ["nonsense", "cron nonsense"],
  ])("%s: %s", (expr, words) => {
    expect(describeSchedule({ kind: "cron", expr })).toBe(words);
  });
});

test.each([
  ["2026-11-16T06:30:00Z", "2026-11-15T16:30:00Z", "Mon 07:30 Europe/Stockholm, in 14 h"],
  ["2026-11-16T06:30:00Z", "2026-11-16T06:29:15Z", "Mon 07:30 Europe/Stockholm, in 45 s"],
  ["2026-11-16T06:30:00Z", "2026-11-16T06:00:00Z", "Mon 07:30 Europe/Stockholm, in 30 min"],
  ["2026-11-16T06:30:00Z", "2026-11-16T08:30:00Z", "Mon 07:30 Europe/Stockholm, 2 h ago"],
  ["2026-11-16T06:30:00Z", "2026-11-16T06:30:00Z", "Mon 07:30 Europe/Stockholm, now"],
  ["2026-11-30T06:30:00Z", "2026-11-16T06:30:00Z", "Mon 30 Nov 07:30 Europe/Stockholm, in 14 days"],
  ["2028-02-28T23:00:00Z", "2026-11-16T06:30:00Z", "Tue 29 Feb 2028 00:00 Europe/Stockholm, in 15 months"],
])("the run at %s, told at %s: %s", (run, now, words) => {
  expect(describeNext(Date.parse(run), Date.parse(now), "Europe/Stockholm")).toBe(words);
});
