// Turns a question about runs into SQL that the indexes can answer.
import type { SQLInputValue } from "node:sqlite";
import type { RunQuery } from "@chela/sdk";
import type { Get } from "./apply-change.ts";
import { ROW_NUMBER, type LeftOutRows } from "./left-out-rows.ts";
import { firstOpenRun } from "./open-runs.ts";

const STATES = { queued: 0, running: 1, done: 2, error: 2 } as const;
const TEXT_CHARS = 200;
/** The index of agents leaves out the one whom nearly all runs are of: those are found from the newest on. */
const UNINDEXED_AGENT = "main";

export function runSelect(query: RunQuery, get: Get, leftOut: LeftOutRows): { sql: string; values: SQLInputValue[] } {
  const where = [leftOut.except("inbox", "i.id")].filter(Boolean);
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...more: SQLInputValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (query.sessionKey !== undefined) add("i.session_key = ?", query.sessionKey);
  if (query.agentId !== undefined) add("i.agent_id = ?", query.agentId);
  if (query.agentId !== undefined && query.agentId !== UNINDEXED_AGENT) add(`i.agent_id <> '${UNINDEXED_AGENT}'`);
  if (query.state !== undefined) add("i.state = ?", STATES[query.state]);
  if (query.state === "queued" || query.state === "running") add("i.id >= ?", firstOpenRun(get));
  if (query.state === "error") add("t.status = 'error'");
  if (query.before !== undefined) add("i.id <= ? AND i.admitted_at < ?", lastIdBefore(query.before, get), query.before);
  values.push(query.limit);
  // Failures are few: they are looked up from their own index, and the others from the newest on.
  const tables = query.state === "error" ? "turns t CROSS JOIN inbox i" : "inbox i LEFT JOIN turns t";
  const sql = `SELECT i.id AS ${ROW_NUMBER}, i.run_id, i.channel, i.agent_id, i.session_key, i.admitted_at, i.state,
      t.started_at, t.ended_at, t.outcome, substr(i.body ->> '$.text', 1, ${TEXT_CHARS}) AS text
    FROM ${tables} ON t.run_id = i.run_id
    ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""} ORDER BY i.id DESC LIMIT ?`;
  return { sql, values };
}

/** Messages are admitted in the order of time, so a few looks find the place; nothing has to be skipped. */
function lastIdBefore(time: number, get: Get): number {
  let low = 0;
  let high = Number(get("SELECT max(id) AS id FROM inbox")?.["id"] ?? 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = get("SELECT id, admitted_at FROM inbox WHERE id <= ? ORDER BY id DESC LIMIT 1", middle);
    if (!row || Number(row["admitted_at"]) < time) low = middle;
    else high = Number(row["id"]) - 1;
  }
  return low;
}
