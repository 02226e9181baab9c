// Table of what was spent and what may still be spent.
import type { Style } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { formatTable, formatTokens } from "../../base/terminal/layout.ts";

type UsageSums = Pick<
  MethodAnswer<"usage.by">["totals"],
  "input" | "output" | "cacheRead" | "cacheWrite" | "totalCost" | "missingCostEntries"
>;

export type UsageAnswer = Pick<MethodAnswer<"usage.by">, "dimension" | "startDate" | "endDate"> & {
  readonly rows: ReadonlyArray<UsageSums & { readonly name: string; readonly calls: number }>;
  readonly totals: UsageSums;
};

type BudgetPart = NonNullable<BudgetsAnswer["budgets"][number]["usd"]>;

export type BudgetsAnswer = {
  readonly budgets: ReadonlyArray<
    Pick<MethodAnswer<"usage.budgets">["budgets"][number], "name" | "share" | "usd" | "tokens">
  >;
};

const LONGEST_NAME = 34;
const NEARLY_ALL = 0.8;

export function usageLines(usage: UsageAnswer, { budgets }: BudgetsAnswer, style: Style): string[] {
  const head = [usage.dimension.toUpperCase(), "CALLS", "INPUT", "OUTPUT", "CACHED", "COST"];
  const rows = usage.rows.map(({ name, calls, ...sums }) => [shorten(name || "(none)"), String(calls), ...cells(sums)]);
  const calls = usage.rows.reduce((sum, row) => sum + row.calls, 0);
  const all = ["All", String(calls), ...cells(usage.totals)];
  const period = `${usage.startDate} to ${usage.endDate}`;
  const table =
    rows.length === 0 ? ["Nothing was used."] : formatTable([head.map((name) => style.dim(name)), ...rows, all]);
  return [period, ...table, ...priceNote(usage.totals), ...budgetLines(budgets, style)];
}

function cells({ input, output, cacheRead, cacheWrite, totalCost }: UsageSums): string[] {
  return [formatTokens(input), formatTokens(output), formatTokens(cacheRead + cacheWrite), formatCost(totalCost)];
}

/** Small amounts need more digits to be seen at all. */
export function formatCost(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}

function priceNote({ missingCostEntries }: UsageSums): string[] {
  if (missingCostEntries === 0) return [];
  const calls = missingCostEntries === 1 ? "1 call has" : `${missingCostEntries} calls have`;
  return [`${calls} no known price, so the real cost may be higher.`];
}

function budgetLines(budgets: BudgetsAnswer["budgets"], style: Style): string[] {
  if (budgets.length === 0) return ["No budgets are set."];
  const rows = budgets.flatMap(({ name, share, usd, tokens }) => {
    const percent = `${Math.round(share * 100)}%`;
    const colour = share >= 1 ? style.red : share >= NEARLY_ALL ? style.yellow : style.green;
    const [first = "", ...more] = [...moneyLeft(usd), ...tokensLeft(tokens)];
    return [[shorten(name), colour(percent), first], ...more.map((line) => ["", "", line])];
  });
  return ["Budgets", ...formatTable(rows, "  ")];
}

function moneyLeft(part: BudgetPart | undefined): string[] {
  return part ? [`${formatCost(part.left)} of ${formatCost(part.limit)} left`] : [];
}

function tokensLeft(part: BudgetPart | undefined): string[] {
  return part ? [`${formatTokens(part.left)} of ${formatTokens(part.limit)} tokens left`] : [];
}

/** The end of a long name says more than its middle. */
function shorten(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const end = Math.floor(LONGEST_NAME / 2);
  return `${name.slice(0, LONGEST_NAME - end - 1)}…${name.slice(-end)}`;
}
