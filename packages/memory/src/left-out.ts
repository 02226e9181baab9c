// Conversations that memory knows nothing of, because they were deleted: their ids are kept, so that they are not read again.
import type { Store } from "./index/store/store.ts";

export type LeftOutChange =
  | { readonly kind: "same" }
  /** These were learned from, perhaps, and are gone. */
  | { readonly kind: "gone"; readonly sessionIds: ReadonlySet<string> }
  /** One that was gone is there again: what it says belongs between what others said. */
  | { readonly kind: "back" };

export class LeftOut {
  readonly #store: Store;
  #ids: ReadonlySet<string>;

  constructor(store: Store) {
    this.#store = store;
    this.#ids = this.#read();
    store.onUndone(() => (this.#ids = this.#read()));
  }

  has(sessionId: string): boolean {
    return this.#ids.has(sessionId);
  }

  /** All that are gone now. Part of the caller's transaction. */
  replace(sessionIds: readonly string[]): LeftOutChange {
    const before = this.#ids;
    const now = new Set(sessionIds);
    const gone = new Set([...now].filter((id) => !before.has(id)));
    const back = [...before].filter((id) => !now.has(id));
    for (const id of gone) this.#store.statement("INSERT INTO left_out VALUES (?)").run(id);
    for (const id of back) this.#store.statement("DELETE FROM left_out WHERE session_id = ?").run(id);
    this.#ids = now;
    if (back.length > 0) return { kind: "back" };
    return gone.size > 0 ? { kind: "gone", sessionIds: gone } : { kind: "same" };
  }

  #read(): Set<string> {
    const rows = this.#store.statement("SELECT session_id FROM left_out").all();
    return new Set(rows.map((row) => String(row["session_id"])));
  }
}
