// Rebuilds a damaged ledger, or the lost end of one, from what can still be read. Loaded when there is damage.
import { renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createImporter } from "../import/importer.ts";
import { writeMark } from "../mirror/mark.ts";
import { NEWEST_VERSION } from "../sqlite/migrations.ts";
import { FIRST_OPEN_RUN } from "../sqlite/open-runs.ts";
import { migrate, openDatabase, shapeOf } from "../sqlite/open.ts";
import { SqliteLedger } from "../sqlite/sqlite-ledger.ts";
import { completeTranscripts } from "./complete-transcripts.ts";
import { ENDINGS, newestSeq } from "./ledger-file.ts";
import type { OpenOptions } from "./open-or-recover.ts";
import { salvage, type SalvagedTable } from "./salvage.ts";
import { settleRuns } from "./settle-runs.ts";

/** Builds the new ledger beside the damaged one and gives it its name only when it is complete: a crash changes nothing. */
export async function rebuild(options: OpenOptions, tell: (text: string) => void): Promise<void> {
  const building = `${options.path}.recovering`;
  for (const ending of ENDINGS) rmSync(building + ending, { force: true });
  // Rows are laid into the shape they had, and brought to the newest together.
  const fresh = openDatabase(building, { shape: damagedShape(options.path) });
  const tables = salvageFrom(options.path, fresh);
  tell(describeSalvage(tables));
  migrate(fresh);
  // What was imported from files may be lost again, so every file is looked at anew; and so is every message for its end.
  fresh.exec(`DELETE FROM ledger_values WHERE key LIKE 'import:%' OR key = '${FIRST_OPEN_RUN}'`);
  const before = countEntries(fresh);
  await completeTranscripts(fresh, options.stateDir);
  const ledger = new SqliteLedger(fresh);
  const report = await createImporter({ ...options, ledger }).importAll();
  const entries = countEntries(fresh) - before;
  tell(`The transcript files gave back ${entries} entries, the session indexes ${report.sessions} sessions.`);
  tellUnreadable(settleRuns(fresh), tell);
  fresh.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  writeMark(options.stateDir, newestSeq(fresh));
  await ledger.close();
  renameSync(building, `${options.path}.recovered`);
}

/** What the transcript files have and the ledger has not. */
export async function restoreEnd(
  options: OpenOptions,
  database: DatabaseSync,
  tell: (text: string) => void,
): Promise<void> {
  const before = countEntries(database);
  await completeTranscripts(database, options.stateDir);
  const report = await createImporter({ ...options, ledger: new SqliteLedger(database) }).importAll();
  const entries = countEntries(database) - before;
  tell(
    `The ledger ends earlier than the transcript files do; ${entries} entries and ${report.sessions} sessions were taken from the files.`,
  );
  tellUnreadable(settleRuns(database), tell);
}

function damagedShape(path: string): number {
  let damaged: DatabaseSync | undefined;
  try {
    damaged = new DatabaseSync(path, { readOnly: true });
    return shapeOf(damaged) || NEWEST_VERSION;
  } catch {
    // Then nothing else of it can be read either.
    return NEWEST_VERSION;
  } finally {
    damaged?.close();
  }
}

function salvageFrom(path: string, fresh: DatabaseSync): SalvagedTable[] {
  for (const readOnly of [true, false]) {
    let damaged: DatabaseSync | undefined;
    try {
      // Read-only first: closing must not write anything into the evidence.
      damaged = new DatabaseSync(path, { readOnly });
      damaged.prepare("SELECT count(*) FROM sqlite_schema").get();
      return salvage(damaged, fresh);
    } catch {
      if (fresh.isTransaction) fresh.exec("ROLLBACK");
    } finally {
      damaged?.close();
    }
  }
  return [];
}

function describeSalvage(tables: readonly SalvagedTable[]): string {
  if (tables.length === 0) return "Nothing in the damaged ledger could be read.";
  const counts = tables.filter(({ rows }) => rows > 0).map(({ table, rows }) => `${rows} ${table}`);
  const incomplete = tables.filter(({ isIncomplete }) => isIncomplete).map(({ table }) => table);
  const lost =
    incomplete.length > 0 ? ` Parts of ${incomplete.join(", ")} could not be read.` : " Every row could be read.";
  return `From the damaged ledger came ${counts.join(", ") || "no rows"}.${lost}`;
}

function tellUnreadable(count: number, tell: (text: string) => void): void {
  if (count > 0)
    tell(`${count} messages that waited for an answer could not be read any more; they have to be sent again.`);
}

const countEntries = (database: DatabaseSync): number =>
  Number(database.prepare("SELECT count(*) AS n FROM entries").get()?.["n"] ?? 0);
