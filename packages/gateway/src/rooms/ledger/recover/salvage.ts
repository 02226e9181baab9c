// Copies every row that can still be read from a damaged ledger into a fresh one, around the parts that cannot.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { normaliseSession } from "../import/normalise-session.ts";
import { parseObject } from "../mirror/read-lines.ts";
import { NEWEST_VERSION } from "../sqlite/migrations.ts";
import { shapeOf } from "../sqlite/open.ts";
import { ROW_CHECKS } from "../sqlite/rows.ts";

export interface SalvagedTable {
  readonly table: string;
  readonly rows: number;
  /** Whether some part of the table could not be read. */
  readonly isIncomplete: boolean;
}

type SalvagedRow = Record<string, SQLInputValue>;

const ROW_TABLES = [
  "transcripts",
  "entries",
  "sessions",
  "inbox",
  "outbox",
  "usage",
  "asides",
  "jobs",
  "errands",
  "people",
  "audit",
] as const;
/** Tables without row numbers can only be read from both ends. */
const KEYED_TABLES = { turns: "run_id", tool_calls: "run_id", ledger_values: "key" } as const;
const ROWS_AT_ONCE = 500;
/** Where even the highest row number cannot be read. */
const HIGHEST_GUESS = 2 ** 40;
/** So many unreadable ranges in a row mean that nothing more will come. */
const MOST_FAILURES = 20_000;

export function salvage(damaged: DatabaseSync, fresh: DatabaseSync): SalvagedTable[] {
  fresh.exec("BEGIN");
  const tables = [
    ...ROW_TABLES.map((table) => salvageRows(damaged, fresh, table)),
    ...Object.entries(KEYED_TABLES).map(([table, key]) => salvageKeyed(damaged, fresh, table, key)),
  ];
  salvageTurnsByRun(damaged, fresh);
  fresh.exec("COMMIT");
  return tables;
}

function salvageRows(damaged: DatabaseSync, fresh: DatabaseSync, table: string): SalvagedTable {
  const read = prepareRange(damaged, table);
  if (!read) return { table, rows: 0, isIncomplete: true };
  const insert = createInsert(fresh, table);
  let rows = 0;
  let failures = 0;
  let isIncomplete = false;
  // Breadth first: wide ranges that can be read come first, and what stays in the queue closes in on the damage.
  const waiting: Array<readonly [number, number]> = [[0, highestRow(damaged, table)]];
  let next = 0;
  for (; next < waiting.length && failures < MOST_FAILURES; next++) {
    const [from, to] = waiting[next] ?? [0, 0];
    const found = readRange(read, from, to);
    if (found) {
      failures = 0;
      for (const row of found.rows) rows += insert(row) ? 1 : 0;
      if (found.last !== undefined && found.rows.length === ROWS_AT_ONCE) waiting.push([found.last + 1, to]);
      continue;
    }
    failures += 1;
    const middle = Math.floor((from + to) / 2);
    if (from < to) waiting.push([from, middle], [middle + 1, to]);
    else isIncomplete = true;
  }
  return { table, rows, isIncomplete: isIncomplete || next < waiting.length };
}

/** Undefined when not even the table can be found. */
function prepareRange(damaged: DatabaseSync, table: string): StatementSync | undefined {
  try {
    return damaged.prepare(
      `SELECT rowid AS salvaged_row, * FROM ${table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?`,
    );
  } catch {
    return undefined;
  }
}

/** Undefined when the range touches something unreadable. */
function readRange(
  read: StatementSync,
  from: number,
  to: number,
): { rows: SalvagedRow[]; last: number | undefined } | undefined {
  try {
    const rows = read.all(from, to, ROWS_AT_ONCE) as SalvagedRow[];
    return { rows, last: rows.at(-1)?.["salvaged_row"] as number | undefined };
  } catch {
    return undefined;
  }
}

function highestRow(damaged: DatabaseSync, table: string): number {
  for (const sql of [
    `SELECT max(rowid) AS n FROM ${table}`,
    `SELECT seq AS n FROM sqlite_sequence WHERE name = '${table}'`,
  ]) {
    try {
      const row = damaged.prepare(sql).get();
      if (row) return Number(row["n"] ?? 0);
    } catch {
      // Unreadable too: the next way may still work.
    }
  }
  return HIGHEST_GUESS;
}

function salvageKeyed(damaged: DatabaseSync, fresh: DatabaseSync, table: string, key: string): SalvagedTable {
  const insert = createInsert(fresh, table);
  let rows = 0;
  const readFrom = (direction: "ASC" | "DESC"): boolean => {
    try {
      for (const row of damaged.prepare(`SELECT * FROM ${table} ORDER BY ${key} ${direction}`).iterate()) {
        rows += insert(row as SalvagedRow) ? 1 : 0;
      }
      return true;
    } catch {
      return false;
    }
  };
  const isIncomplete = !readFrom("ASC");
  if (isIncomplete) readFrom("DESC");
  return { table, rows, isIncomplete };
}

/** Between two unreadable parts a turn can still be reached by its name. */
function salvageTurnsByRun(damaged: DatabaseSync, fresh: DatabaseSync): void {
  const insert = createInsert(fresh, "turns");
  const missing = "SELECT run_id FROM inbox WHERE state > 0 AND run_id NOT IN (SELECT run_id FROM turns)";
  for (const { run_id: runId } of fresh.prepare(missing).all()) {
    try {
      const row = damaged.prepare("SELECT * FROM turns WHERE run_id = ?").get(runId as string);
      if (row) insert(row as SalvagedRow);
    } catch {
      // This one is lost.
    }
  }
}

/** Tells whether the row went in: one that is there already, or that is no legal row, does not. */
function createInsert(fresh: DatabaseSync, table: string): (row: SalvagedRow) => boolean {
  const known = fresh
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));
  const statements = new Map<string, StatementSync>();
  // What an older shape had is not what readers of the newest expect.
  const isNewest = shapeOf(fresh) === NEWEST_VERSION;
  return (row) => {
    const readable = checkTexts(table, row);
    const checked = readable && isNewest ? checkColumns(table, readable) : readable;
    if (!checked) return false;
    const columns = known.filter((name) => checked[name] !== undefined);
    const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    try {
      const statement = statements.get(sql) ?? fresh.prepare(sql);
      statements.set(sql, statement);
      return Number(statement.run(...columns.map((name) => checked[name] ?? null)).changes) > 0;
    } catch {
      // A value of the wrong kind: the page gave nonsense.
      return false;
    }
  };
}

/** What is lost with these texts comes back from the files. */
const TEXTS: Readonly<Record<string, string>> = {
  transcripts: "header",
  sessions: "entry",
  jobs: "job",
  errands: "work",
  people: "person",
  outbox: "payload",
  asides: "body",
};

/** A text that is no JSON any more would stop every reader. */
function checkTexts(table: string, row: SalvagedRow): SalvagedRow | undefined {
  if (table === "entries") return checkEntry(row);
  const isReadable = (column: string): boolean => parseObject(String(row[column])) !== undefined;
  if (table === "turns" && row["outcome"] !== null && !isReadable("outcome"))
    return { ...row, outcome: null, ended_at: null };
  // Empty, so that a message that still waits is told to be sent again.
  if (table === "inbox" && !isReadable("body")) return { ...row, body: "{}" };
  const column = TEXTS[table];
  return column === undefined || isReadable(column) ? row : undefined;
}

/** What would be left out of every list is not taken along, unless it can be mended. */
function checkColumns(table: string, row: SalvagedRow): SalvagedRow | undefined {
  if (isUsable(table, row)) return row;
  const mended = mend(table, row);
  return isUsable(table, mended) ? mended : undefined;
}

function isUsable(table: string, row: SalvagedRow): boolean {
  // Every event counts for the chain, readable or not.
  if (table === "audit") return true;
  try {
    ROW_CHECKS[table]?.(row);
    return true;
  } catch (error) {
    if (GatewayError.is(error)) return false;
    throw error;
  }
}

function mend(table: string, row: SalvagedRow): SalvagedRow {
  if (table === "turns") return { ...row, outcome: null, ended_at: null };
  if (table === "transcripts") return { ...row, archived_entry: null };
  const entry = table === "sessions" ? parseObject(String(row["entry"])) : undefined;
  if (!entry) return row;
  const known = { updatedAt: Number(row["updated_at"]) || 0, newSessionId: () => String(row["session_id"]) };
  return { ...row, entry: JSON.stringify(normaliseSession({ ...entry }, known)) };
}

/** A line that is no JSON any more is kept, wrapped. */
function checkEntry(row: SalvagedRow): SalvagedRow {
  const line = String(row["line"]);
  try {
    if (typeof JSON.parse(line) === "object") return row;
  } catch {
    // Wrapped below.
  }
  const entry = {
    type: "custom",
    id: String(row["entry_id"]),
    parentId: null,
    timestamp: new Date(0).toISOString(),
    customType: "chela.unreadable-line",
    data: { text: line },
  };
  return { ...row, line: JSON.stringify(entry) };
}
