// What is typed about when a job runs, as a schedule and back.
import { expect, it } from "vitest";
import { emptyWhen, readWhen, splitInterval, whenOf, type WhenDraft } from "./when-draft.ts";

const when = (change: Partial<WhenDraft>): WhenDraft => ({ ...emptyWhen(0), zone: "Europe/Stockholm", ...change });
const scheduleOf = (change: Partial<WhenDraft>): unknown => {
  const read = readWhen(when(change));
  return read.kind === "fine" ? read.schedule : read.problem;
};

it("is fine before anybody has typed", () => {
  expect(readWhen(emptyWhen()).kind).toBe("fine");
  for (const kind of ["once", "every", "times", "expression"] as const)
    expect(readWhen({ ...emptyWhen(), kind }).kind).toBe("fine");
});

it("makes schedules of what is typed", () => {
  expect(scheduleOf({ kind: "once", once: "2026-11-17T09:00" })).toEqual({
    kind: "at",
    at: "2026-11-17T08:00:00.000Z",
  });
  expect(scheduleOf({ kind: "every", count: "1.5", unit: "hours" })).toEqual({ kind: "every", everyMs: 5_400_000 });
  expect(scheduleOf({ times: ["18:30", "07:30", "", "07:30"], weekdays: [5, 1, 2, 3, 4] })).toEqual({
    kind: "cron",
    expr: "30 7,18 * * 1-5",
    tz: "Europe/Stockholm",
  });
  expect(scheduleOf({ rhythm: "month", monthDays: " 1, 15 " })).toMatchObject({ expr: "30 7 1,15 * *" });
  expect(scheduleOf({ kind: "expression", expression: " */5 * * * * ", zone: "" })).toEqual({
    kind: "cron",
    expr: "*/5 * * * *",
  });
});

it.each([
  ["onceMissing", { kind: "once", once: "" }],
  ["everyWrong", { kind: "every", count: "" }],
  ["everyWrong", { kind: "every", count: "-5" }],
  ["everyWrong", { kind: "every", count: "0.5", unit: "seconds" }],
  ["timesMissing", { times: [""] }],
  ["timesDiffer", { times: ["07:30", "18:00"] }],
  ["weekdaysMissing", { weekdays: [] }],
  ["monthDaysWrong", { rhythm: "month", monthDays: "32" }],
  ["monthDaysWrong", { rhythm: "month", monthDays: "" }],
  ["expressionMissing", { kind: "expression", expression: "  " }],
] as const)("says %s", (problem, change) => {
  expect(scheduleOf(change)).toBe(problem);
});

it("shows a schedule the way it would be typed", () => {
  expect(whenOf({ kind: "cron", expr: "30 7 * * 1-5", tz: "Asia/Tokyo" })).toMatchObject({
    kind: "times",
    times: ["07:30"],
    weekdays: [1, 2, 3, 4, 5],
    zone: "Asia/Tokyo",
  });
  expect(whenOf({ kind: "cron", expr: "0 8 1,15 * *" })).toMatchObject({ rhythm: "month", monthDays: "1, 15" });
  expect(whenOf({ kind: "cron", expr: "0 8 L * *" })).toMatchObject({ kind: "expression", expression: "0 8 L * *" });
  expect(whenOf({ kind: "every", everyMs: 5_400_000 })).toMatchObject({ kind: "every", count: "90", unit: "minutes" });
});

it("gives back the same schedule when nothing is changed", () => {
  const schedules = [
    { kind: "at", at: "2026-11-17T08:00:00.000Z" },
    { kind: "every", everyMs: 604_800_000 },
    { kind: "cron", expr: "30 7,18 * * 1-5", tz: "Asia/Tokyo" },
    { kind: "cron", expr: "*/7 9-17 * * *" },
  ] as const;
  for (const schedule of schedules) expect(readWhen(whenOf(schedule))).toEqual({ kind: "fine", schedule });
});

it("believes the gateway where a time says no zone", () => {
  const at = Date.parse("2026-11-17T08:00:00Z");
  expect(readWhen(whenOf({ kind: "at", at: "2026-11-17T03:00:00" }, at))).toMatchObject({
    schedule: { at: "2026-11-17T08:00:00.000Z" },
  });
});

it("tells intervals in the largest unit that fits", () => {
  expect(splitInterval(90_000)).toEqual({ count: "90", unit: "seconds" });
  expect(splitInterval(86_400_000)).toEqual({ count: "1", unit: "days" });
  expect(splitInterval(1500)).toEqual({ count: "1.5", unit: "seconds" });
});
