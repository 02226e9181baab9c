// Opens the ledger file: checks it, brings it to the newest shape (after a snapshot), sets what durability needs.
import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { checkNewestTexts, checkTexts } from "./check-texts.ts";
import { storeError } from "./failures.ts";
import { MIGRATIONS, NEWEST_VERSION } from "./migrations.ts";

/** Larger files are checked by `chela doctor`; reading them whole would cost more than a start may take. */
const CHECK_AT_START_BYTES = 24 * 1024 * 1024;

export interface OpenDatabaseOptions {
  readonly readOnly?: boolean;
  /** The shape a new file gets; the newest unless rows of an older one are to be laid into it. */
  readonly shape?: number;
}

export function ledgerPath({ stateDir }: { readonly stateDir: string }): string {
  return join(stateDir, "ledger.sqlite");
}

/** Throws STORE_CORRUPT, STORE_NEWER or STORE_READONLY; never changes a file it cannot trust. */
export function openDatabase(path: string, options: OpenDatabaseOptions = {}): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const existed = existsSync(path) && statSync(path).size > 0;
  let database: DatabaseSync | undefined;
  try {
    // SQLite would make it readable for everybody; its side files take the mode of this one.
    if (!existed && !options.readOnly) closeSync(openSync(path, "a", 0o600));
    database = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: 5000 });
    if (existed && statSync(path).size <= CHECK_AT_START_BYTES) checkIntegrity(database);
    else if (existed) checkNewestTexts(database);
    if (!options.readOnly) prepareForWriting(database, path, existed, options.shape);
    return database;
  } catch (error) {
    database?.close();
    throw storeError(error);
  }
}

/** Reads everything; throws STORE_CORRUPT with SQLite's own words when a page is damaged, with ours when a text is. */
export function checkIntegrity(database: DatabaseSync): void {
  const rows = database.prepare("PRAGMA integrity_check(3)").all();
  const found = rows.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok");
  if (found.length > 0) throw new GatewayError("STORE_CORRUPT", found.join("; "));
  checkTexts(database);
}

function prepareForWriting(database: DatabaseSync, path: string, existed: boolean, shape?: number): void {
  const version = shapeOf(database);
  if (version > NEWEST_VERSION) {
    throw new GatewayError("STORE_NEWER", `version ${version}, this program knows up to ${NEWEST_VERSION}`);
  }
  // A commit writes whole pages, and ours touch a little of many: small pages spare the disk.
  // The log is folded into the file every 8 MB, because that takes a moment.
  // What is read again is still with the operating system: 800 KB of pages of our own are as fast as the usual 2 MB.
  // FULL: a commit is on the disk, not only with the operating system, before anybody is told of it.
  database.exec(
    "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -800;",
  );
  if (version < NEWEST_VERSION && existed) snapshot(database, `${path}.before-v${NEWEST_VERSION}`);
  migrate(database, shape);
}

/** The version of the shape the tables have; 0 when there are none. */
export function shapeOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

export function migrate(database: DatabaseSync, to = NEWEST_VERSION): void {
  const from = shapeOf(database);
  if (from >= to) return;
  // A step may change how a table is described where its rows stay as they are.
  database.enableDefensive?.(false);
  for (const { version, sql } of MIGRATIONS) {
    if (version > from && version <= to)
      database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version}; COMMIT;`);
  }
  database.enableDefensive?.(true);
}

function snapshot(database: DatabaseSync, path: string): void {
  if (!existsSync(path)) database.prepare("VACUUM INTO ?").run(path);
}
