// Adds usage up: in all, by day, or by whatever it belongs to.
import type { SQLInputValue } from "node:sqlite";
import type { UsageDay, UsageDimension, UsageGroup, UsageRange, UsageSum } from "@chela/sdk";
import { number, rowReader, text, type StoredRow } from "@chela/sdk/rows";

/** How many numbers there are for each millisecond: what was used is numbered by its time. */
export const PER_MS = 1024;

type ReadRows = (sql: string, ...values: SQLInputValue[]) => StoredRow[];

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

const sums = {
  calls: number("calls"),
  input: number("input"),
  output: number("output"),
  cacheRead: number("cacheRead"),
  cacheWrite: number("cacheWrite"),
  inputCost: number("inputCost"),
  outputCost: number("outputCost"),
  cacheReadCost: number("cacheReadCost"),
  cacheWriteCost: number("cacheWriteCost"),
  missingCostEntries: number("missingCostEntries"),
};
const sumRow: (row: StoredRow) => UsageSum = rowReader({ table: "usage", named: "name" }, sums);
const dayRow: (row: StoredRow) => UsageDay = rowReader(
  { table: "usage", named: "date" },
  { date: text("date"), ...sums },
);
const groupRow: (row: StoredRow) => UsageGroup = rowReader(
  { table: "usage", named: "name" },
  { name: text("name"), ...sums },
);

export function usageByDay(read: ReadRows, range: UsageRange & { offsetMinutes: number }): UsageDay[] {
  const where = whereOf(range);
  return read(
    `SELECT date((at / 1000) + ? * 60, 'unixepoch') AS date, ${SUMS} FROM usage ${where.sql} GROUP BY 1 ORDER BY 1`,
    range.offsetMinutes,
    ...where.values,
  ).map(dayRow);
}

export function usageTotal(read: ReadRows, range: UsageRange): UsageSum {
  const where = whereOf(range);
  const [sum = {}] = read(`SELECT ${SUMS} FROM usage ${where.sql}`, ...where.values);
  return sumRow(sum);
}

export function usageBy(read: ReadRows, dimension: UsageDimension, range: UsageRange, limit: number): UsageGroup[] {
  const where = whereOf(range);
  return read(
    `SELECT ${COLUMNS[dimension]} AS name, ${SUMS} FROM usage ${where.sql} GROUP BY 1
     ORDER BY inputCost + outputCost + cacheReadCost + cacheWriteCost DESC, input + output DESC, name LIMIT ?`,
    ...where.values,
    limit,
  ).map(groupRow);
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
