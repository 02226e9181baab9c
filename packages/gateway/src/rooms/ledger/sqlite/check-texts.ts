// Looks into the texts of the ledger: SQLite checks how its pages hang together, not what is written on them.
import type { DatabaseSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";

/** Texts that come back from the mirrored files when the ledger is rebuilt. What does not is left out of lists instead. */
const TEXTS = {
  entries: "line",
  inbox: "body",
  sessions: "entry",
  transcripts: "header",
} as const;
/** Turns have no row numbers; the messages they answer do. A turn that has not ended has no outcome. */
const OUTCOMES = `SELECT t.run_id AS row, t.outcome AS text
  FROM (SELECT run_id FROM inbox ORDER BY id DESC LIMIT ?) i JOIN turns t ON t.run_id = i.run_id
  WHERE t.outcome IS NOT NULL`;
const NEWEST_ROWS = 200;
const MOST_EXAMPLES = 3;

/** Throws STORE_CORRUPT when a text is no longer what was written. */
export function checkTexts(database: DatabaseSync): void {
  checkRows(database, -1);
}

/** The same for what was written last, which is what a crash or a worn disk damages. */
export function checkNewestTexts(database: DatabaseSync): void {
  checkRows(database, NEWEST_ROWS);
}

function checkRows(database: DatabaseSync, newest: number): void {
  const tables = tablesOf(database);
  // A start that was killed may have left a file without any, and a newer version may have others.
  if (!tables.has("turns") || !tables.has("inbox")) return;
  const known = Object.entries(TEXTS).filter(([table]) => tables.has(table));
  const found = known.flatMap(([table, column]) => {
    const select = `SELECT rowid AS row, ${column} AS text FROM ${table} ORDER BY rowid DESC LIMIT ?`;
    return findUnreadable(database, select, newest).map((row) => `row ${row} of ${table} is not readable`);
  });
  found.push(...findUnreadable(database, OUTCOMES, newest).map((run) => `the end of run ${run} is not readable`));
  if (found.length > 0) throw new GatewayError("STORE_CORRUPT", found.slice(0, MOST_EXAMPLES).join("; "));
}

function tablesOf(database: DatabaseSync): ReadonlySet<string> {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Set(names.map(({ name }) => String(name)));
}

/** `select` gives `row` and `text` of so many rows. */
function findUnreadable(database: DatabaseSync, select: string, newest: number): unknown[] {
  const rows = database.prepare(`SELECT row, text FROM (${select}) WHERE NOT json_valid(text)`).all(newest);
  // SQLite refuses what is nested very deep; such a text is still what was written.
  return rows.filter(({ text }) => !isJson(String(text))).map(({ row }) => row);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
