// Turns a question about errands into SQL that the indexes can answer, and its rows into errands.
import type { SQLInputValue } from "node:sqlite";
import type { ErrandQuery } from "@chela/sdk";
import { ROW_NUMBER, type LeftOutRows } from "./left-out-rows.ts";

type Conditions = Omit<ErrandQuery, "limit" | "offset" | "order">;

export function errandSelect(query: ErrandQuery, leftOut: LeftOutRows): { sql: string; values: SQLInputValue[] } {
  const { where, values } = conditions(query, leftOut);
  const order = query.order === "oldest" ? "ASC" : "DESC";
  return {
    sql: `SELECT seq AS ${ROW_NUMBER}, * FROM ${rowsFor(query)} ${where} ORDER BY seq ${order} LIMIT ? OFFSET ?`,
    values: [...values, query.limit, query.offset ?? 0],
  };
}

export function errandCount(query: Conditions, leftOut: LeftOutRows): { sql: string; values: SQLInputValue[] } {
  const { where, values } = conditions(query, leftOut);
  return { sql: `SELECT count(*) AS n FROM ${rowsFor(query)} ${where}`, values };
}

/** SQLite would look through all that an owner ever had: it does not know how few are open. */
function rowsFor(query: Conditions): string {
  return isAboutOpen(query) ? "errands INDEXED BY errands_open" : "errands";
}

function isAboutOpen({ states }: Conditions): boolean {
  return states !== undefined && !states.includes("settled");
}

function conditions(query: Conditions, leftOut: LeftOutRows): { where: string; values: SQLInputValue[] } {
  const where = [leftOut.except("errands", "seq")].filter(Boolean);
  const values: SQLInputValue[] = [];
  const add = (condition: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    values.push(value);
  };
  const addList = (column: string, list: readonly string[] | undefined): void =>
    add(`${column} IN (SELECT value FROM json_each(?))`, list && JSON.stringify(list));
  add("kind = ?", query.kind);
  add("owner = ?", query.owner);
  add("session_key = ?", query.sessionKey);
  addList("state", query.states);
  // Said in these words as well, because the index of the few that are open knows no others.
  if (isAboutOpen(query)) where.push("state <> 'settled'");
  addList("status", query.statuses);
  addList("delivery_status", query.deliveryStatuses);
  add("due_at >= ?", query.dueFrom);
  add("due_at < ?", query.dueBefore);
  add(
    "instr(lower(owner || char(10) || coalesce(outcome, '') || char(10) || coalesce(delivered, '')), ?) > 0",
    query.search?.toLowerCase(),
  );
  return { where: where.length > 0 ? `WHERE ${where.join(" AND ")}` : "", values };
}
