// Finds ended conversations: those whose session was deleted or started anew.
import type { SQLInputValue } from "node:sqlite";
import type { ArchiveQuery } from "@chela/sdk";
import { ROW_NUMBER, type LeftOutRows } from "./left-out-rows.ts";
import { TRANSCRIPT_COLUMNS } from "./rows.ts";

type Filter = Omit<ArchiveQuery, "limit" | "offset">;

const COLUMNS = `transcripts.id AS ${ROW_NUMBER}, ${TRANSCRIPT_COLUMNS}, (SELECT count(*) FROM entries WHERE transcript = transcripts.id) AS entry_count`;
/** As sessions are searched. What ended before its entry was kept is known by its key only. */
const SEARCHED = [
  "session_key",
  "session_id",
  ...["label", "displayName", "subject"].map((name) => `archived_entry ->> '${name}'`),
];

export function archiveSelect(query: ArchiveQuery, leftOut: LeftOutRows): { sql: string; values: SQLInputValue[] } {
  const where = whereOf(query, leftOut);
  return {
    sql: `SELECT ${COLUMNS} FROM transcripts ${where.sql} ORDER BY archived_at DESC, id DESC LIMIT ? OFFSET ?`,
    values: [...where.values, query.limit, query.offset ?? 0],
  };
}

export function archiveCount(query: Filter, leftOut: LeftOutRows): { sql: string; values: SQLInputValue[] } {
  const where = whereOf(query, leftOut);
  return { sql: `SELECT count(*) AS n FROM transcripts ${where.sql}`, values: where.values };
}

export const ONE_ARCHIVE = `SELECT ${COLUMNS} FROM transcripts WHERE session_id = ? AND archived_at IS NOT NULL`;

function whereOf(
  { reason, sessionKey, search }: Filter,
  leftOut: LeftOutRows,
): { sql: string; values: SQLInputValue[] } {
  const where = ["archived_at IS NOT NULL", leftOut.except("transcripts", "id")].filter(Boolean);
  const values: SQLInputValue[] = [];
  if (reason !== undefined) {
    where.push("archived_reason = ?");
    values.push(reason);
  }
  if (sessionKey !== undefined) {
    where.push("session_key = ?");
    values.push(sessionKey);
  }
  if (search) {
    where.push(`(${SEARCHED.map((field) => `instr(lower(${field}), ?)`).join(" OR ")})`);
    values.push(...SEARCHED.map(() => search.toLowerCase()));
  }
  return { sql: `WHERE ${where.join(" AND ")}`, values };
}
