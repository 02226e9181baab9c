// Expressions judged by an oracle that watches the clock, around every kind of change a calendar knows.
import { beforeAll, describe, expect, test } from "vitest";
import { expectRuns, randomExpression, randomOf, watchClock } from "./oracle.test-support.ts";
import { openTimetable, type Timetable } from "./index.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let timetable: Timetable;
beforeAll(async () => {
  timetable = await openTimetable();
});

function runsOf(expr: string, zone: string, from: number, to: number): number[] {
  return timetable.runsBetween({ kind: "cron", expr, tz: zone }, from, to, { jobId: "job", limit: Infinity });
}

const asText = (runs: readonly number[]): string[] => runs.map((run) => new Date(run).toISOString());

/** Zone, the day before the interesting one (UTC), what is interesting. */
const WINDOWS: ReadonlyArray<readonly [string, string, string]> = [
  ["Europe/Stockholm", "2026-03-28", "clocks go forward"],
  ["Europe/Stockholm", "2026-10-24", "clocks go back"],
  ["Europe/Dublin", "2026-10-24", "clocks go back to a winter time that is the exception"],
  ["America/New_York", "2026-03-07", "clocks go forward"],
  ["America/New_York", "2026-10-31", "clocks go back"],
  ["America/St_Johns", "2026-03-07", "clocks go forward in a half-hour zone"],
  ["Australia/Lord_Howe", "2026-04-03", "clocks go back by half an hour"],
  ["Australia/Lord_Howe", "2026-10-02", "clocks go forward by half an hour"],
  ["Antarctica/Troll", "2026-03-28", "clocks go forward by two hours"],
  ["Antarctica/Troll", "2026-10-24", "clocks go back by two hours"],
  ["Africa/Cairo", "2026-04-22", "midnight is skipped"],
  ["Africa/Cairo", "2026-10-28", "clocks go back at midnight"],
  ["America/Sao_Paulo", "2018-11-02", "midnight is skipped"],
  ["America/Sao_Paulo", "2018-02-16", "clocks go back into the day before"],
  ["Africa/Casablanca", "2026-02-13", "clocks go back for Ramadan"],
  ["Asia/Pyongyang", "2018-05-03", "a zone moves forward by half an hour, over midnight"],
  ["America/Caracas", "2016-04-29", "a zone moves forward by half an hour"],
  ["Pacific/Apia", "2011-12-29", "a day is skipped"],
  ["Pacific/Kwajalein", "1993-08-19", "a day is skipped"],
  ["Asia/Kolkata", "2026-12-30", "a year ends, half an hour off"],
  ["Asia/Kathmandu", "2028-02-27", "a leap day, three quarters of an hour off"],
  ["Pacific/Kiritimati", "2026-12-29", "a year ends, 14 hours ahead"],
  ["UTC", "2028-02-28", "a leap day"],
  ["Europe/Stockholm", "2027-02-27", "February ends"],
  ["America/Los_Angeles", "2100-02-27", "a year that is no leap year"],
];

const EXPRESSIONS = [
  "0 */5 * * * *",
  "0 */15 * * * *",
  "0 30 2 * * *",
  "0 0 2 * * *",
  "0 30 1 * * *",
  "0 0 0 * * *",
  "0 15 0,1,2,3 * * *",
  "0 */20 2 * * *",
  "0 0 */2 * * *",
  "0 */7 1-3 * * *",
  "0 0 0 29 2 *",
  "0 0 12 31 12 *",
  "0 59 23 * * *",
  "0 0 0 1 * 1",
  "0 30 2 * * 0",
  "0 0 9 30 12 *",
  "0 45 * * * 6,0",
  "0 5/10 * * * *",
  "0 30 0-23 * * *",
  "0 10 0-23/3 * * *",
  "0 */30 * * MAR,OCT *",
  "0 0 3 1-7 * SUN",
  "0 0 3 ? * SUN-TUE",
  "0 30,0 2,3 * * 7",
  "0 0 8 */15 * *",
  "0 0 8 1,30 * *",
];

describe.each(WINDOWS)("in %s from %s, where %s", (zone, day, _what) => {
  const from = Date.parse(`${day}T00:00:00Z`);
  const to = from + 72 * HOUR;
  const moments = watchClock(zone, from, to, MINUTE);

  test.each(EXPRESSIONS)("%s runs when the oracle says", (expr) => {
    expect(asText(runsOf(expr, zone, from, to))).toEqual(asText(expectRuns(expr, moments, MINUTE)));
  });

  test("expressions made at random run when the oracle says", () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = randomOf(seed);
    for (let count = 0; count < 12; count += 1) {
      const expr = randomExpression(random);
      const expected = asText(expectRuns(expr, moments, MINUTE));
      expect(asText(runsOf(expr, zone, from, to)), `"${expr}" in ${zone} from ${day}, seed ${seed}`).toEqual(expected);
    }
  });

  test("asking from any instant gives the next one", () => {
    const random = randomOf(from);
    for (const expr of ["0 30 2 * * *", "0 */15 * * * *", "0 10,50 1-3 * * *", "0 0 0,9 * * *"]) {
      const expected = expectRuns(expr, moments, MINUTE);
      for (let count = 0; count < 40; count += 1) {
        // Not too late in the window: the next one must still be in it.
        const after = from + Math.floor(random() * 47 * HOUR);
        const next = timetable.nextRunAfter({ kind: "cron", expr, tz: zone }, after, { jobId: "job" });
        expect(next, `"${expr}" in ${zone} after ${after}`).toBe(expected.find((run) => run > after));
      }
    }
  });
});

describe("to the second", () => {
  const CHANGES: ReadonlyArray<readonly [string, string]> = [
    ["Europe/Stockholm", "2026-03-29T00:00:00Z"],
    ["Europe/Stockholm", "2026-10-24T23:30:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T14:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T14:30:00Z"],
  ];
  const SECONDS = ["*/20 * * * * *", "30 30 2 * * *", "5,35 */10 2 * * *", "* 59 1,2 * * *", "59 59 * * * *"];

  test.each(CHANGES)("in %s from %s", (zone, start) => {
    const from = Date.parse(start);
    const to = from + 3 * HOUR;
    const moments = watchClock(zone, from, to, 1000);
    for (const expr of SECONDS) {
      expect(asText(runsOf(expr, zone, from, to)), expr).toEqual(asText(expectRuns(expr, moments, 1000)));
    }
  });
});
