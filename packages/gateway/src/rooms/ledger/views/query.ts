// Answers a question in SQL about the ledger, by its views alone. Nothing can be changed, attached or read past them.
import { randomBytes } from "node:crypto";
import { constants, DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { storeError } from "../sqlite/failures.ts";
import { NEWEST_VERSION } from "../sqlite/migrations.ts";
import { shapeOf } from "../sqlite/open.ts";
import { createViewSql, VIEWS } from "./definitions.ts";

export type QueryValue = string | number | null;

export type QueryAnswer =
  | {
      readonly kind: "answered";
      readonly columns: readonly string[];
      readonly rows: ReadonlyArray<readonly QueryValue[]>;
      /** There were more than were asked for. */
      readonly hasMore: boolean;
    }
  /** What is wrong with the question, in half a sentence. */
  | { readonly kind: "refused"; readonly why: string };

const NAMES = new Set(VIEWS.map(({ name }) => name));
/** They take a text apart, and read nothing. */
const TABLES_OF_TEXTS = new Set(["json_each", "json_tree"]);
/** Behind the views: whoever counts rows of those counts rows of these, and learns nothing else of them. */
const COUNTED = ["sessions", "entries", "transcripts", "inbox", "turns", "tool_calls", "usage", "outbox"];

/** Throws STORE_CORRUPT and its kin when the ledger cannot be read. */
export function queryLedger(path: string, sql: string, mostRows: number): QueryAnswer {
  const database = open(path);
  try {
    const statement = database.prepare(sql);
    if (hasMore(sql.slice(statement.sourceSQL.length)))
      return refuse("that is more than one question; ask them one by one");
    const columns = statement.columns().map(({ name }) => name);
    if (columns.length === 0) return refuse("that asks nothing; write a SELECT");
    const rows: QueryValue[][] = [];
    // By position: two columns may have one name.
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) {
      if (rows.length === mostRows) return { kind: "answered", columns, rows, hasMore: true };
      rows.push(Object.values(row).map(written));
    }
    return { kind: "answered", columns, rows, hasMore: false };
  } catch (error) {
    return explain(error);
  } finally {
    database.close();
  }
}

function open(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5000, allowExtension: false });
    const version = shapeOf(database);
    if (version > NEWEST_VERSION) throw new GatewayError("STORE_NEWER", `version ${version}`);
    database.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;");
    // A question could call something of its own by the name of a view. Nobody can guess this, and it is for one question.
    const inner = `inner_${randomBytes(16).toString("hex")}`;
    const uncounted = tablesOf(database).filter((name) => !COUNTED.includes(name));
    for (const view of VIEWS) for (const sql of createViewSql(view, inner)) database.exec(sql);
    database.exec("PRAGMA query_only = ON;");
    database.setAuthorizer((...asked) => judge({ inner, uncounted }, ...asked));
    return database;
  } catch (error) {
    database?.close();
    throw storeError(error);
  }
}

function tablesOf(database: DatabaseSync): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
}

interface Rules {
  readonly inner: string;
  readonly uncounted: readonly string[];
}

type AuthorizerQuestion = Parameters<Parameters<DatabaseSync["setAuthorizer"]>[0] & {}>;

/** Asked for everything a statement would do, before it does any of it. */
function judge({ inner, uncounted }: Rules, ...[action, first, second, database, view]: AuthorizerQuestion): number {
  const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_RECURSIVE, SQLITE_READ, SQLITE_FUNCTION } = constants;
  const mayRead = (table: string): boolean =>
    (view ?? "").startsWith(inner) ||
    table.startsWith(inner) ||
    (database === "temp" && NAMES.has(table)) ||
    TABLES_OF_TEXTS.has(table) ||
    // No column at all. What is no table is something that the question itself has named.
    (second === "" && !uncounted.includes(table) && !/^(?:sqlite|pragma)_/i.test(table));
  const isAllowed =
    action === SQLITE_SELECT ||
    action === SQLITE_RECURSIVE ||
    (action === SQLITE_FUNCTION && second?.toLowerCase() !== "load_extension") ||
    (action === SQLITE_READ && mayRead(first ?? ""));
  return isAllowed ? SQLITE_OK : SQLITE_DENY;
}

function written(value: SQLOutputValue): QueryValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "bigint" ? String(value) : value;
}

/** SQLite's own words are for who wrote the question; what they may do is ours to say. */
function explain(error: unknown): QueryAnswer {
  const said = error instanceof Error ? error.message : "";
  const stored = storeError(error);
  if (stored.code !== "STORE_FAILED") throw stored;
  const known = `The views are ${VIEWS.map(({ name }) => name).join(", ")}`;
  if (/not authorized|prohibited|cannot modify/.test(said))
    return refuse(`only the views can be read, and nothing changed. ${known}`);
  const [, what, name] = /no such (table|column|function): (\S+)/.exec(said) ?? [];
  if (what !== undefined) return refuse(`there is no ${what} ${name}. ${known}; \`chela sql\` lists their columns`);
  return refuse(`SQLite says: ${said}`);
}

/** Whether something follows the first statement, which is all that would be answered. */
function hasMore(rest: string): boolean {
  return (
    rest
      .replace(/--[^\n]*|\/\*[^]*?(?:\*\/|$)/g, "")
      .replaceAll(";", "")
      .trim() !== ""
  );
}

function refuse(why: string): QueryAnswer {
  return { kind: "refused", why };
}
