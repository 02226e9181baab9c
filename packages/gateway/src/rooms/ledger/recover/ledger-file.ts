// Files of a ledger and what is asked of them first, whole or damaged.
import type { DatabaseSync } from "node:sqlite";

/** Of the files SQLite keeps a database in. */
export const ENDINGS = ["", "-wal", "-shm"] as const;

export function newestSeq(database: DatabaseSync): number {
  return Number(database.prepare("SELECT max(seq) AS seq FROM entries").get()?.["seq"] ?? 0);
}
