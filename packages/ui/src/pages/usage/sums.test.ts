// Sums of what was used.
import { describe, expect, it } from "vitest";
import { busiest, cacheShare, changeOf, columnsOf, totalOf, usedOn, within } from "./sums.ts";

function day(date: string, input: number, more: { cacheRead?: number; inputCost?: number; unpriced?: number } = {}) {
  const { cacheRead = 0, inputCost = 0, unpriced = 0 } = more;
  const totals = { totalTokens: input + cacheRead, totalCost: inputCost, missingCostEntries: unpriced };
  return { date, input, output: 0, cacheRead, cacheWrite: 0, inputCost, ...totals };
}

const rows = [
  day("2026-01-01", 10, { inputCost: 0.5 }),
  day("2026-01-03", 30, { cacheRead: 90, inputCost: 0.25, unpriced: 2 }),
];

describe("sums", () => {
  it("adds tokens, costs and what has no price", () => {
    const used = usedOn(rows);
    expect(totalOf(used, "tokens")).toBe(130);
    expect(totalOf(used, "cost")).toBe(0.75);
    expect(used.unpriced).toBe(2);
  });

  it("knows how much came from the cache", () => {
    expect(cacheShare(usedOn(rows.slice(1)))).toBe(0.75);
    expect(cacheShare(usedOn([]))).toBeUndefined();
  });

  it("compares", () => {
    expect(changeOf(3, 2)).toBe(0.5);
    expect(changeOf(3, 0)).toBeUndefined();
  });

  it("takes the days of a range", () => {
    expect(within(rows, { startDate: "2026-01-02", endDate: "2026-01-03" })).toEqual([rows[1]]);
  });
});

describe("columnsOf", () => {
  it("fills days without use", () => {
    const columns = columnsOf(rows, { startDate: "2026-01-01", endDate: "2026-01-03" });
    expect(columns.map(({ used }) => totalOf(used, "tokens"))).toEqual([10, 0, 120]);
    expect(busiest(columns, "cost")?.startDate).toBe("2026-01-01");
  });

  it("makes weeks of many days, and months of very many", () => {
    const weeks = columnsOf(rows, { startDate: "2026-01-01", endDate: "2026-12-31" });
    expect(weeks).toHaveLength(53);
    expect(weeks[0]).toMatchObject({ startDate: "2026-01-01", endDate: "2026-01-07" });
    const months = columnsOf(rows, { startDate: "2023-12-15", endDate: "2026-01-03" });
    expect(months).toHaveLength(26);
    expect(months.at(-1)).toMatchObject({ startDate: "2026-01-01", endDate: "2026-01-03" });
    expect(months.reduce((sum, { used }) => sum + totalOf(used, "tokens"), 0)).toBe(130);
  });
});
