// Adds usage up: in all, by day, or by whatever it belongs to.
import type { SQLInputValue } from "node:sqlite";
import type { UsageDay, UsageDimension, UsageGroup, UsageRange, UsageSum } from "@chela/sdk";
import type { SqlRow } from "./rows.ts";

/** How many numbers there are for each millisecond: what was used is numbered by its time. */
export const PER_MS = 1024;

type ReadRows = (sql: string, ...values: SQLInputValue[]) => SqlRow[];

const SUMS = `count(*) AS calls,
  coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cache_read), 0) AS cacheRead, coalesce(sum(cache_write), 0) AS cacheWrite,
  total(input_cost) AS inputCost, total(output_cost) AS outputCost,
  total(cache_read_cost) AS cacheReadCost, total(cache_write_cost) AS cacheWriteCost,
  coalesce(sum(input_cost IS NULL), 0) AS missingCostEntries`;

const COLUMNS: Readonly<Record<UsageDimension, string>> = {
  agent: "agent_id",
  session: "session_key",
  channel: "channel",
  person: "person",
  job: "job",
  provider: "provider",
  model: "provider || '/' || model",
  run: "run_id",
};

export function usageByDay(read: ReadRows, range: UsageRange & { offsetMinutes: number }): UsageDay[] {
  const where = whereOf(range);
  return read(
    `SELECT date((at / 1000) + ? * 60, 'unixepoch') AS date, ${SUMS} FROM usage ${where.sql} GROUP BY 1 ORDER BY 1`,
    range.offsetMinutes,
    ...where.values,
  ) as unknown as UsageDay[];
}

export function usageTotal(read: ReadRows, range: UsageRange): UsageSum {
  const where = whereOf(range);
  return read(`SELECT ${SUMS} FROM usage ${where.sql}`, ...where.values)[0] as unknown as UsageSum;
}

export function usageBy(read: ReadRows, dimension: UsageDimension, range: UsageRange, limit: number): UsageGroup[] {
  const where = whereOf(range);
  return read(
    `SELECT ${COLUMNS[dimension]} AS name, ${SUMS} FROM usage ${where.sql} GROUP BY 1
     ORDER BY inputCost + outputCost + cacheReadCost + cacheWriteCost DESC, input + output DESC, name LIMIT ?`,
    ...where.values,
    limit,
  ) as unknown as UsageGroup[];
}

function whereOf({ from, to, of = {} }: UsageRange): { sql: string; values: SQLInputValue[] } {
  const wanted = Object.entries(of) as Array<[UsageDimension, string]>;
  const conditions = [
    `id >= ? * ${PER_MS}`,
    `id < ? * ${PER_MS}`,
    ...wanted.map(([dimension]) => `${COLUMNS[dimension]} = ?`),
  ];
  return { sql: `WHERE ${conditions.join(" AND ")}`, values: [from, to, ...wanted.map(([, value]) => value)] };
}
