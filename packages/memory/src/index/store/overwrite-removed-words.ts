// Words of chunks that were removed stay in the list of words until its parts are merged: this merges them, a little at a time.
import type { Store } from "./opened-store.ts";
import { pause } from "../pause.ts";

const PAGES_AT_ONCE = 500;

/** Tells whether it came to an end. */
export async function overwriteRemovedWords(store: Store, isStopped: () => boolean): Promise<boolean> {
  // A negative number begins to merge all parts into one; a single change means that there was nothing to do.
  for (let changes = merge(store, -PAGES_AT_ONCE); changes > 1; changes = merge(store, PAGES_AT_ONCE)) {
    if (isStopped()) return false;
    await pause();
  }
  store.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return true;
}

function merge(store: Store, pages: number): number {
  const before = changesOf(store);
  store.statement("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ?)").run(pages);
  return changesOf(store) - before;
}

function changesOf(store: Store): number {
  return Number(store.statement("SELECT total_changes() AS changes").get()?.["changes"]);
}
