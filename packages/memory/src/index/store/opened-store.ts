// An open index file: transactions, prepared statements, and small values by name.
import { defined } from "@chela/sdk/base";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { condemnFile } from "./damaged-file.ts";

export interface Store {
  readonly db: DatabaseSync;
  readonly path: string;
  /** Why the file was made anew, when it was. */
  readonly damage?: string;
  /** All of the work, or nothing. Inside another transaction it is part of that one. */
  transaction<T>(work: () => T): T;
  /** Calls back when a transaction was undone: what is held in memory has to be read again. */
  onUndone(listener: () => void): void;
  /** Prepared once. */
  statement(sql: string): StatementSync;
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;
  dropMeta(key: string): void;
  /** Whoever opens the file next sets it aside and makes it anew. */
  condemn(why: string): void;
  close(): void;
}

export function createStore(db: DatabaseSync, path: string, damage: string | undefined): Store {
  const statements = new Map<string, StatementSync>();
  const listeners: (() => void)[] = [];
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = db.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };
  return {
    db,
    path,
    ...defined({ damage }),
    statement,
    transaction(work) {
      if (db.isTransaction) return work();
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        for (const listener of listeners) listener();
        throw error;
      }
    },
    onUndone: (listener) => void listeners.push(listener),
    meta(key) {
      const value = statement("SELECT value FROM meta WHERE key = ?").get(key)?.["value"];
      return value === undefined ? undefined : String(value);
    },
    setMeta: (key, value) =>
      void statement("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(
        key,
        value,
      ),
    dropMeta: (key) => void statement("DELETE FROM meta WHERE key = ?").run(key),
    condemn: (why) => condemnFile(path, why),
    close: () => db.close(),
  };
}
