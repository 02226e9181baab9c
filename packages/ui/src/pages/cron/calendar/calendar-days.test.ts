// Days, weeks and months of a calendar.
import { expect, it } from "vitest";
import {
  blocksOf,
  dayOf,
  isDay,
  marksByDay,
  rangeOf,
  shiftDay,
  shiftMonth,
  startOf,
  weeksOf,
  type Mark,
} from "./calendar-days.ts";

it("shows whole weeks of a month, from Monday on", () => {
  const weeks = weeksOf("2026-11-16", "month");
  expect(weeks).toHaveLength(6);
  expect([weeks[0]?.[0], weeks[0]?.[6], weeks.at(-1)?.[6]]).toEqual(["2026-10-26", "2026-11-01", "2026-12-06"]);
  expect(weeksOf("2027-02-10", "month").map((week) => week[0])).toEqual([
    "2027-02-01",
    "2027-02-08",
    "2027-02-15",
    "2027-02-22",
  ]);
});

it("shows the week of a day", () => {
  expect(weeksOf("2026-11-22", "week")).toEqual([
    ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"],
  ]);
});

it("moves over the ends of months and years", () => {
  expect(shiftDay("2026-12-31", 1)).toBe("2027-01-01");
  expect(shiftDay("2028-02-28", 1)).toBe("2028-02-29");
  expect(shiftMonth("2026-01-31", 1)).toBe("2026-02-28");
  expect(shiftMonth("2026-01-31", -1)).toBe("2025-12-31");
});

it("reads days and nothing else", () => {
  expect(isDay("2026-11-16")).toBe(true);
  for (const text of [undefined, "", "2026-02-30", "2026-11", "hello"]) expect(isDay(text)).toBe(false);
});

it("knows where its days begin and end", () => {
  const { from, to } = rangeOf(weeksOf("2026-11-16", "week"));
  expect([dayOf(from), dayOf(to - 1), dayOf(to)]).toEqual(["2026-11-16", "2026-11-22", "2026-11-23"]);
});

it("puts marks on their days, and those that look the same together", () => {
  const at = (day: string, hour: number): number => startOf(day) + hour * 3_600_000;
  const mark = (jobId: string, when: number, outcome: Mark["outcome"]): Mark => ({
    jobId,
    name: jobId,
    at: when,
    outcome,
  });
  const days = marksByDay([
    mark("b", at("2026-11-16", 9), "good"),
    mark("a", at("2026-11-16", 8), "good"),
    mark("a", at("2026-11-16", 10), "bad"),
    mark("a", at("2026-11-16", 11), "good"),
    mark("a", at("2026-11-17", 8), "future"),
  ]);
  expect([...days.keys()]).toEqual(["2026-11-16", "2026-11-17"]);
  expect(blocksOf(days.get("2026-11-16") ?? []).map(({ jobId, outcome, count }) => [jobId, outcome, count])).toEqual([
    ["a", "good", 2],
    ["b", "good", 1],
    ["a", "bad", 1],
  ]);
});
