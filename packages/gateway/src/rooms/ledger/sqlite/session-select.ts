// Turns a session query into SQL that the indexes can answer, also in the middle of many thousand sessions.
import type { SQLInputValue } from "node:sqlite";
import { ROW_NUMBER, type LeftOutRows } from "./left-out-rows.ts";
import type { SessionEntry, SessionQuery, SessionSort } from "@chela/sdk";

interface Select {
  readonly sql: string;
  readonly values: SQLInputValue[];
}

/** What is left out of lists unless it is asked for. Each session is in one of two indexes, so these words are theirs. */
const LISTED = "hidden = 0 AND kind <> 'global' AND kind <> 'unknown'";
const UNLISTED = "(hidden <> 0 OR kind = 'global' OR kind = 'unknown')";
/**
 * Times and sizes change with every turn, and every index that has them is written with it. One has both, and what lists
 * are filtered by; the order by size is made from it when somebody asks.
 */
const ORDER: Readonly<Record<SessionSort, { readonly column: string; readonly index: string }>> = {
  updated: { column: "updated_at", index: "sessions_listed" },
  created: { column: "created_at", index: "sessions_by_creation" },
  tokens: { column: "tokens", index: "sessions_listed" },
};

/** The rows are found by an index alone; entries are read of those only that are shown. */
export function sessionSelect(query: SessionQuery, leftOut: LeftOutRows): Select {
  const found = selectFound(query, leftOut);
  return {
    sql: `SELECT s.rowid AS ${ROW_NUMBER}, s.key, s.entry, s.created_at FROM (${found.sql} LIMIT ? OFFSET ?) AS found
      CROSS JOIN sessions AS s ON s.rowid = found.id`,
    values: [...found.values, query.limit ?? -1, query.offset ?? 0],
  };
}

function selectFound(query: SessionQuery, leftOut: LeftOutRows): Select {
  const { column } = ORDER[query.sort ?? "updated"];
  const where = whereOf(query, leftOut);
  const select = `SELECT rowid AS id, ${column} FROM`;
  if (isUsual(query) || isNarrow(query) || column !== "updated_at") {
    return { sql: `${select} ${tableFor(query)} ${where.sql} ORDER BY ${column} DESC`, values: where.values };
  }
  // Both are in this order, and are merged as they are read.
  const [listed, others] = [LISTED, UNLISTED].map((kind) => (where.sql ? `${where.sql} AND ${kind}` : `WHERE ${kind}`));
  return {
    sql: `${select} sessions INDEXED BY sessions_listed ${listed}
      UNION ALL ${select} sessions INDEXED BY sessions_unlisted ${others} ORDER BY updated_at DESC`,
    values: [...where.values, ...where.values],
  };
}

export function sessionCount(query: SessionQuery, leftOut: LeftOutRows): Select {
  const where = whereOf(query, leftOut);
  return { sql: `SELECT count(*) AS n FROM ${tableFor(query)} ${where.sql}`, values: where.values };
}

/** Everything a search looks through, in small letters. */
export function searchedNames(
  key: string,
  { sessionId, label, displayName, subject }: Pick<SessionEntry, "sessionId" | "label" | "displayName" | "subject">,
): string {
  return [key, sessionId, label, displayName, subject]
    .filter((name) => name !== undefined)
    .join("\n")
    .toLowerCase();
}

function whereOf(query: SessionQuery, leftOut: LeftOutRows): Select {
  const where = [leftOut.except("sessions", "rowid")].filter(Boolean);
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...more: SQLInputValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (isUsual(query)) add(LISTED);
  else if (!query.includeHidden) add("hidden = 0");
  if (!isUsual(query) && !query.includeGlobal) add("kind <> 'global'");
  if (!isUsual(query) && !query.includeUnknown) add("kind <> 'unknown'");
  if (query.kind !== undefined) add("kind = ?", query.kind);
  if (query.agentId !== undefined) add("agent_id = ?", query.agentId);
  if (query.channel !== undefined) add("channel = ?", query.channel);
  if (query.label !== undefined) add("label = ?", query.label);
  if (query.spawnedBy !== undefined) add("spawned_by = ?", query.spawnedBy);
  if (query.updatedSince !== undefined) add("updated_at >= ?", query.updatedSince);
  if (query.search) {
    const named = "SELECT rowid FROM sessions INDEXED BY sessions_by_name WHERE instr(names, ?)";
    add(`rowid IN (${named})`, query.search.toLowerCase());
  }
  return { sql: where.length > 0 ? `WHERE ${where.join(" AND ")}` : "", values };
}

const isUsual = (query: SessionQuery): boolean => !query.includeHidden && !query.includeGlobal && !query.includeUnknown;

const isNarrow = (query: SessionQuery): boolean =>
  query.label !== undefined || query.spawnedBy !== undefined || query.search !== undefined;

/** Named where SQLite would guess worse: it knows nothing of how many rows a condition leaves. */
function tableFor(query: SessionQuery): string {
  if (!isUsual(query) || isNarrow(query)) return "sessions";
  return `sessions INDEXED BY ${ORDER[query.sort ?? "updated"].index}`;
}
