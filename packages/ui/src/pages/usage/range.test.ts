// Ranges of days: from the address, by the calendar, and the days before.
import { describe, expect, it } from "vitest";
import { countDays, datesOf, localDate, offsetName, rangeBefore, readRange } from "./range.ts";

const TODAY = "2026-03-01";

describe("readRange", () => {
  it.each([
    [{}, { choice: 30, startDate: "2026-01-31", endDate: TODAY }],
    [{ days: "7" }, { choice: 7, startDate: "2026-02-23", endDate: TODAY }],
    [{ days: "8" }, { choice: 30, startDate: "2026-01-31", endDate: TODAY }],
    [
      { from: "2026-01-05", to: "2026-01-06" },
      { choice: "custom", startDate: "2026-01-05", endDate: "2026-01-06" },
    ],
    [
      { from: "2026-01-06", to: "2026-01-05", days: "90" },
      { choice: 90, startDate: "2025-12-02", endDate: TODAY },
    ],
    [
      { from: "yesterday", to: TODAY },
      { choice: 30, startDate: "2026-01-31", endDate: TODAY },
    ],
  ])("reads %j", (query, range) => {
    expect(readRange(query as unknown as Record<string, string>, TODAY)).toEqual(range);
  });

  it("does not go back for ever", () => {
    expect(countDays(readRange({ from: "0001-01-01", to: TODAY }, TODAY))).toBe(3660);
  });
});

describe("days", () => {
  const range = { startDate: "2026-02-27", endDate: TODAY };

  it("lists them over the end of a month", () => {
    expect(datesOf(range)).toEqual(["2026-02-27", "2026-02-28", TODAY]);
  });

  it("finds as many before", () => {
    expect(rangeBefore(range)).toEqual({ startDate: "2026-02-24", endDate: "2026-02-26" });
  });

  it("takes today from the reader's clock", () => {
    const now = new Date(2026, 2, 1, 0, 30);
    expect(localDate(now)).toBe(TODAY);
  });

  it.each([
    [0, "UTC+0:00"],
    [-330, "UTC+5:30"],
    [210, "UTC-3:30"],
  ])("names the offset of %i minutes", (minutes, name) => {
    expect(offsetName(minutes)).toBe(name);
  });
});
