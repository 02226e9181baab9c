// Finds messages that wait for their end: from a number on that is moved now and then. An index of them would be
// written twice with every turn.
import type { Get, Write } from "./apply-change.ts";

/** The value it stands in. */
export const FIRST_OPEN_RUN = "first-open-run";
/** It is moved with the end of every so many runs; a start looks through no more than that, and what is really open. */
const MOVED_EVERY = 256;

/** All messages with a lower number have their end. */
export function firstOpenRun(get: Get): number {
  const row = get("SELECT value FROM ledger_values WHERE key = ?", FIRST_OPEN_RUN);
  const id = Number(row?.["value"]);
  return Number.isSafeInteger(id) ? id : 0;
}

/** To be called with each run that is over, within its transaction. */
export function noteDone(write: Write, get: Get, runId: string): void {
  const row = get("UPDATE inbox SET state = 2 WHERE run_id = ? RETURNING id", runId);
  if (!row || Number(row["id"]) % MOVED_EVERY !== 0) return;
  const open = get("SELECT id FROM inbox WHERE id >= ? AND state < 2 ORDER BY id LIMIT 1", firstOpenRun(get));
  const first = open ?? get("SELECT max(id) + 1 AS id FROM inbox");
  write("INSERT OR REPLACE INTO ledger_values (key, value) VALUES (?, ?)", FIRST_OPEN_RUN, String(first?.["id"] ?? 0));
}
