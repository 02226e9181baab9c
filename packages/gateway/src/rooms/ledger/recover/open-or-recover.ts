// Opens the ledger; a damaged one is set aside and rebuilt from whatever can still be read, in the ledger or in the files.
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { GatewayError, type Clock, type Ids, type Logger } from "@chela/sdk";
import { readMark, writeMark } from "../mirror/mark.ts";
import { archiveStamp } from "../mirror/paths.ts";
import { findDamagedRows } from "../sqlite/check-rows.ts";
import { checkIntegrity, openDatabase } from "../sqlite/open.ts";
import { SqliteLedger } from "../sqlite/sqlite-ledger.ts";
import { ENDINGS, newestSeq } from "./ledger-file.ts";

export interface OpenOptions {
  readonly path: string;
  readonly stateDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** By which the hashes of the audit trail are made. */
  readonly auditKey?: Buffer;
}

export interface OpenedLedger {
  readonly ledger: SqliteLedger;
  /** Sentences for the operator; empty when all was well. */
  readonly notices: readonly string[];
}

/** Throws STORE_NEWER, STORE_READONLY and the like as `openDatabase` does; only damage is dealt with here. */
export async function openOrRecover(options: OpenOptions): Promise<OpenedLedger> {
  const notices: string[] = [];
  const tell = (text: string): void => {
    notices.push(text);
    options.log.error(text);
  };
  finishExchange(options, tell);
  const database = tryOpen(options);
  if (database instanceof GatewayError) {
    tell(`${options.path} is damaged (${database.detail}); it is being rebuilt from what can still be read.`);
    const { rebuild } = await import("./rebuild.ts");
    await rebuild(options, tell);
    finishExchange(options, tell);
    return { ledger: createLedger(options, openDatabase(options.path)), notices };
  }
  await restoreLostEnd(options, database, tell);
  return { ledger: createLedger(options, database), notices };
}

/** Left beside a ledger that turned out to be damaged while it was in use: the next start reads all of it. */
const suspicionPath = (path: string): string => `${path}.suspect`;

/** Whoever opens it next reads all of it, and rebuilds it without what cannot be read. */
export function suspectLedger(path: string): void {
  writeFileSync(suspicionPath(path), "", { mode: 0o600 });
}

function checkWhole(database: DatabaseSync): void {
  checkIntegrity(database);
  const { count, examples } = findDamagedRows(database);
  if (count > 0) throw new GatewayError("STORE_CORRUPT", examples.join("; "));
}

function createLedger({ path, log, auditKey }: OpenOptions, database: DatabaseSync): SqliteLedger {
  rmSync(suspicionPath(path), { force: true });
  let isNoted = false;
  const noteDamage = (): void => {
    if (isNoted) return;
    isNoted = true;
    try {
      suspectLedger(path);
      log.error("The ledger is damaged; it is rebuilt at the next start from what can still be read.");
    } catch (error) {
      log.error("The ledger is damaged, and this could not be noted; run `chela doctor`.", { error: String(error) });
    }
  };
  const leftOut = (error: GatewayError): void => log.error(error.explain());
  return new SqliteLedger(database, { foundDamage: noteDamage, leftOut, auditKey });
}

function tryOpen({ path }: OpenOptions): DatabaseSync | GatewayError {
  // An empty file makes SQLite throw its log away, and with it everything.
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0) return new GatewayError("STORE_CORRUPT", "the file is empty");
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path);
    if (existsSync(suspicionPath(path))) checkWhole(database);
    return database;
  } catch (error) {
    database?.close();
    if (GatewayError.is(error) && error.code === "STORE_CORRUPT") return error;
    throw error;
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The second half of a rebuild, also when the first half was done by a process that died. */
function finishExchange({ path, clock }: OpenOptions, tell: (text: string) => void): void {
  if (!existsSync(`${path}.recovered`)) return;
  const damaged = `${path}.damaged.${archiveStamp(clock.now())}`;
  for (const ending of ENDINGS) if (existsSync(path + ending)) renameSync(path + ending, damaged + ending);
  renameSync(`${path}.recovered`, path);
  const backups = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.before-v`));
  const also = backups.length > 0 ? ` An older snapshot lies beside it (${backups.join(", ")}); it was not used.` : "";
  tell(`The damaged ledger was kept as ${basename(damaged)}.${also}`);
}

/** A ledger that knows less than the mirror has already written has lost its end: a cut log, or an older copy put back. */
async function restoreLostEnd(
  options: OpenOptions,
  database: DatabaseSync,
  tell: (text: string) => void,
): Promise<void> {
  const seq = newestSeq(database);
  const mark = await readMark(options.stateDir);
  if (mark <= seq && !isRestoring(database)) return;
  // One in which nothing was ever committed is new: the first import brings the files, without making the start wait.
  if (!isNew(database)) {
    noteRestoring(database, true);
    const { restoreEnd } = await import("./rebuild.ts");
    await restoreEnd(options, database, tell);
    noteRestoring(database, false);
  }
  writeMark(options.stateDir, newestSeq(database));
}

/** Until the end is restored and every run settled: a crash in between must not make it look complete. */
const RESTORING_KEY = "restoring-end";

function isRestoring(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM ledger_values WHERE key = ?").get(RESTORING_KEY) !== undefined;
}

function noteRestoring(database: DatabaseSync, isOn: boolean): void {
  const sql = isOn ? "INSERT OR REPLACE INTO ledger_values VALUES (?, '')" : "DELETE FROM ledger_values WHERE key = ?";
  database.prepare(sql).run(RESTORING_KEY);
}

/** Not told by its entries: a log may be cut behind the note that all files are imported, before the first entry. */
function isNew(database: DatabaseSync): boolean {
  const tables = ["ledger_values", "sessions", "inbox", "entries"];
  return tables.every((table) => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);
}
