import type { Style } from "@chela/sdk/command-line";
import { describe, expect, it } from "vitest";
import { formatCost, usageLines, type UsageAnswer } from "./usage-view.ts";

const same = (text: string): string => text;
const PLAIN: Style = { bold: same, dim: same, green: same, yellow: same, red: same, cyan: same };
const SUMS = {
  input: 123_456_789,
  output: 99_999,
  cacheRead: 1,
  cacheWrite: 2,
  totalCost: 12.5,
  missingCostEntries: 0,
};

function answer(names: readonly string[], missingCostEntries = 0): UsageAnswer {
  const rows = names.map((name) => ({ ...SUMS, name, calls: 12_345 }));
  const totals = { ...SUMS, missingCostEntries };
  return { dimension: "session", startDate: "2026-01-01", endDate: "2026-01-30", rows, totals };
}

describe("use is shown", () => {
  it("in a table that fits 80 columns, whatever names there are", () => {
    const budgets = [
      {
        name: `total limit of session agent:main:${"x".repeat(200)}`,
        share: 0.25,
        usd: { limit: 1000, spent: 250, left: 750 },
        tokens: { limit: 1e9, spent: 1e6, left: 999e6 },
      },
    ];
    const lines = usageLines(answer([`agent:main:${"long".repeat(50)}`, ""]), { budgets }, PLAIN);
    for (const line of lines) expect([line, line.length <= 80]).toEqual([line, true]);
    expect(lines[0]).toBe("2026-01-01 to 2026-01-30");
    expect(lines[1]).toMatch(/^SESSION +CALLS +INPUT +OUTPUT +CACHED +COST$/);
    expect(lines[3]).toMatch(/^\(none\) /);
    expect(lines[4]).toMatch(/^All +24690 +123\.5M +100k +3 +\$12\.50$/);
    expect(lines.at(-2)).toMatch(/25% +\$750\.00 of \$1000\.00 left$/);
    expect(lines.at(-1)).toMatch(/^ +999\.0M of 1000\.0M tokens left$/);
  });

  it("with a word about calls whose price nobody knows", () => {
    expect(usageLines(answer(["a"], 1), { budgets: [] }, PLAIN)).toContain(
      "1 call has no known price, so the real cost may be higher.",
    );
  });

  it("also when there was none, and no budget", () => {
    const lines = usageLines(answer([]), { budgets: [] }, PLAIN);
    expect(lines).toEqual(["2026-01-01 to 2026-01-30", "Nothing was used.", "No budgets are set."]);
  });

  it.each([
    [0, "$0.00"],
    [0.0123, "$0.0123"],
    [0.5, "$0.50"],
    [1234.567, "$1234.57"],
  ])("with %d dollars as %s", (usd, text) => expect(formatCost(usd)).toBe(text));
});
