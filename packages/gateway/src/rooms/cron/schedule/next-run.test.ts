import { createHash } from "node:crypto";
import type { CronSchedule } from "@chela/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { openTimetable, type Timetable } from "./index.ts";

let timetable: Timetable;
beforeAll(async () => {
  timetable = await openTimetable();
});

const at = (text: string): number => Date.parse(text);

function nextOf(schedule: CronSchedule, after: string, zone = "UTC"): string | undefined {
  const next = timetable.nextRunAfter(schedule, at(after), { jobId: "job", zone });
  return next === undefined ? undefined : new Date(next).toISOString().replace(".000Z", "Z");
}

describe("an instant", () => {
  test.each([
    ["2026-12-24T18:00:00+01:00", "UTC", "2026-12-24T17:00:00Z"],
    ["2026-12-24T18:00:00Z", "Europe/Stockholm", "2026-12-24T18:00:00Z"],
    ["2026-12-24T18:00:00", "Europe/Stockholm", "2026-12-24T17:00:00Z"],
    ["2026-12-24 18:00", "Asia/Kathmandu", "2026-12-24T12:15:00Z"],
    ["2026-12-24", "America/New_York", "2026-12-24T05:00:00Z"],
    // Skipped: where the clock goes on. Twice: the first time.
    ["2027-03-28T02:30", "Europe/Stockholm", "2027-03-28T01:00:00Z"],
    ["2027-10-31T02:30", "Europe/Stockholm", "2027-10-31T00:30:00Z"],
    ["2027-10-03T02:15", "Australia/Lord_Howe", "2027-10-02T15:30:00Z"],
  ])("%s in %s is %s", (text, zone, expected) => {
    expect(nextOf({ kind: "at", at: text }, "2026-11-16T00:00:00Z", zone)).toBe(expected);
  });

  test("comes once", () => {
    const schedule: CronSchedule = { kind: "at", at: "2026-12-24T18:00:00Z" };
    expect(nextOf(schedule, "2026-12-24T17:59:59.999Z")).toBe("2026-12-24T18:00:00Z");
    expect(nextOf(schedule, "2026-12-24T18:00:00Z")).toBeUndefined();
  });

  test.each(["soon", "2026-02-30T10:00", "2026-12-24T25:00", "12/24/2026"])(
    "%s is refused with what is allowed",
    (text) => {
      expect(() => nextOf({ kind: "at", at: text }, "2026-11-16T00:00:00Z")).toThrow(
        `at is "${text}"; allowed are dates such as 2026-12-24T18:00:00+01:00`,
      );
    },
  );
});

describe("an interval", () => {
  const everyMs = 900_000;

  test("counts from its anchor, whenever it is asked", () => {
    const schedule: CronSchedule = { kind: "every", everyMs, anchorMs: at("2026-11-16T00:07:00Z") };
    expect(nextOf(schedule, "2026-11-16T00:00:00Z")).toBe("2026-11-16T00:07:00Z");
    expect(nextOf(schedule, "2026-11-16T00:07:00Z")).toBe("2026-11-16T00:22:00Z");
    expect(nextOf(schedule, "2030-01-01T12:00:00Z")).toBe("2030-01-01T12:07:00Z");
  });

  test("counts from when the job was made where it has no anchor", () => {
    const job = { jobId: "job", createdAtMs: 1000 };
    expect(timetable.nextRunAfter({ kind: "every", everyMs }, 1000, job)).toBe(1000 + everyMs);
  });
});

describe("an expression", () => {
  test.each([
    ["0 0 29 2 *", "UTC", "2026-11-16T00:00:00Z", "2028-02-29T00:00:00Z"],
    ["0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"],
    ["0 0 29 2 +1", "UTC", "2026-11-16T00:00:00Z", "2044-02-29T00:00:00Z"],
    ["59 23 31 12 *", "Asia/Kolkata", "2026-11-16T00:00:00Z", "2026-12-31T18:29:00Z"],
    ["0 0 1 1 *", "Pacific/Kiritimati", "2026-11-16T00:00:00Z", "2026-12-31T10:00:00Z"],
    ["0 9 L * *", "UTC", "2026-02-10T00:00:00Z", "2026-02-28T09:00:00Z"],
    ["0 9 15W * *", "UTC", "2026-11-01T00:00:00Z", "2026-11-16T09:00:00Z"],
    ["0 9 * * 5#2", "UTC", "2026-11-16T00:00:00Z", "2026-12-11T09:00:00Z"],
    ["0 9 * * 5L", "UTC", "2026-11-16T00:00:00Z", "2026-11-27T09:00:00Z"],
    ["@daily", "Europe/Stockholm", "2026-11-16T00:00:00Z", "2026-11-16T23:00:00Z"],
    ["@weekly", "UTC", "2026-11-16T00:00:00Z", "2026-11-22T00:00:00Z"],
    ["15 30 7 * * *", "Europe/Stockholm", "2026-11-16T00:00:00Z", "2026-11-16T06:30:15Z"],
    ["  0   7 * * mon-fri ", "UTC", "2026-11-20T12:00:00Z", "2026-11-23T07:00:00Z"],
    ["0 0 1 1 *", "UTC", "2500-06-01T00:00:00Z", "2501-01-01T00:00:00Z"],
    // The first of March behind a 30th or 31st that February does not have.
    ["0 0 1,31 * *", "UTC", "2027-02-10T00:00:00Z", "2027-03-01T00:00:00Z"],
  ])("%s in %s after %s is %s", (expr, tz, after, expected) => {
    expect(nextOf({ kind: "cron", expr, tz }, after)).toBe(expected);
  });

  test.each(["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31W 2 *"])("%s never comes", (expr) => {
    expect(nextOf({ kind: "cron", expr }, "2026-11-16T00:00:00Z")).toBeUndefined();
  });

  test("takes the zone it names, else that of the job, else that of this machine", () => {
    const expr = "0 12 * * *";
    const after = "2026-11-16T00:00:00Z";
    expect(nextOf({ kind: "cron", expr, tz: "Asia/Tokyo" }, after, "America/New_York")).toBe("2026-11-16T03:00:00Z");
    expect(nextOf({ kind: "cron", expr }, after, "America/New_York")).toBe("2026-11-16T17:00:00Z");
    const here = timetable.nextRunAfter({ kind: "cron", expr }, at(after), { jobId: "job" });
    expect(new Date(here ?? 0).getHours()).toBe(12);
  });

  test("comes once on the night whose hour is skipped, and once where it is repeated", () => {
    const schedule: CronSchedule = { kind: "cron", expr: "30 2 * * *", tz: "Europe/Stockholm" };
    const runs = (from: string, to: string) =>
      timetable
        .runsBetween(schedule, at(from), at(to), { jobId: "job", limit: 10 })
        .map((run) => new Date(run).toISOString().slice(5, 16));
    expect(runs("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z")).toEqual(["03-29T01:00", "03-30T00:30"]);
    expect(runs("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z")).toEqual(["10-25T00:30", "10-26T01:30"]);
  });

  test("stands at a place of its own within the time it is spread over", () => {
    const staggerMs = 300_000;
    const place = createHash("sha256").update("job").digest().readUIntBE(0, 6) % staggerMs;
    const schedule: CronSchedule = { kind: "cron", expr: "0 7 * * *", tz: "UTC", staggerMs };
    const first = timetable.nextRunAfter(schedule, at("2026-11-16T00:00:00Z"), { jobId: "job" }) ?? 0;
    expect(first).toBe(at("2026-11-16T07:00:00Z") + place);
    // Asked between the instant and its place, it is still today's.
    expect(timetable.nextRunAfter(schedule, first - 1, { jobId: "job" })).toBe(first);
    expect(timetable.nextRunAfter(schedule, first, { jobId: "job" })).toBe(first + 86_400_000);
    expect(timetable.nextRunAfter(schedule, first, { jobId: "another" })).not.toBe(first + 86_400_000);
  });

  test.each([
    ["60 * * * *", 'The minute is "60"; allowed are *, 0-59'],
    ["**/5 * * * *", 'The minute is "**/5"; allowed are *, 0-59'],
    ["79/60 * * * *", 'The minute is "79/60"; allowed are *, 0-59'],
    ["0 24 * * *", 'The hour is "24"; allowed are *, 0-23'],
    ["0 0 0 * *", 'The day of month is "0"; allowed are *, 1-31'],
    ["0 0 * foo *", 'The month is "foo"; allowed are *, 1-12 or JAN-DEC'],
    ["0 0 * * 5-1", 'The day of week is "5-1"; allowed are *, 0-7'],
    ["61 0 0 * * *", 'The second is "61"; allowed are *, 0-59'],
    ["0 7 *", "It has 3 fields; allowed are five"],
    ["2026-12-24T18:00:00", "It has 1 field; allowed are five"],
    ["", "It has 0 fields; allowed are five"],
  ])('"%s" is refused: %s', (expr, words) => {
    expect(() => nextOf({ kind: "cron", expr }, "2026-11-16T00:00:00Z")).toThrow(words);
  });

  test("a zone that does not exist is refused with what is allowed", () => {
    const schedule: CronSchedule = { kind: "cron", expr: "0 7 * * *", tz: "Europe/Stokholm" };
    expect(() => nextOf(schedule, "2026-11-16T00:00:00Z")).toThrow(
      'tz is "Europe/Stokholm", which is no time zone. Allowed are names such as Europe/Stockholm',
    );
  });
});

describe("between two instants", () => {
  const schedule: CronSchedule = { kind: "cron", expr: "0 * * * *", tz: "UTC" };
  const [from, to] = [at("2026-11-16T00:00:00Z"), at("2026-11-16T03:00:00Z")];

  test("the first is out, the last is in, and there are at most as many as asked for", () => {
    const all = timetable.runsBetween(schedule, from, to, { jobId: "job", limit: 10 });
    expect(all).toEqual([1, 2, 3].map((hour) => from + hour * 3_600_000));
    expect(timetable.runsBetween(schedule, from, to, { jobId: "job", limit: 2 })).toEqual(all.slice(0, 2));
  });

  test.each<[CronSchedule, string, string, string | undefined]>([
    [{ kind: "cron", expr: "* * * * * *" }, "2020-01-01T00:00:00Z", "2026-11-16T00:00:00.5Z", "2026-11-16T00:00:00Z"],
    [{ kind: "cron", expr: "0 0 29 2 *" }, "2000-01-01T00:00:00Z", "2026-11-16T00:00:00Z", "2024-02-29T00:00:00Z"],
    [{ kind: "cron", expr: "0 0 29 2 *" }, "2025-01-01T00:00:00Z", "2026-11-16T00:00:00Z", undefined],
    [
      { kind: "at", at: "2026-11-15T00:00:00Z" },
      "2026-11-01T00:00:00Z",
      "2026-11-16T00:00:00Z",
      "2026-11-15T00:00:00Z",
    ],
  ])("the newest of %o is found without counting the others", (schedule, from, to, expected) => {
    const last = timetable.lastRunBetween(schedule, at(from), at(to), { jobId: "job", zone: "UTC" });
    expect(last).toBe(expected === undefined ? undefined : at(expected));
  });
});
