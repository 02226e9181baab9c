// Rows that cannot be read: they are left out of every list and count, stay where they are, and are told of once.
import type { Change, GatewayError } from "@chela/sdk";
import type { StoredRow } from "@chela/sdk/rows";
import type { Get } from "./apply-change.ts";

/** The column lists give a row's number in. */
export const ROW_NUMBER = "row_number";

export class LeftOutRows {
  readonly #rows = new Map<string, Set<number>>();
  readonly #told = new Set<string>();
  readonly #tell: (error: GatewayError) => void;

  constructor(tell: (error: GatewayError) => void) {
    this.#tell = tell;
  }

  /** To be added to the conditions of a list, so that pages and limits are of what can be read. Empty when all can. */
  except(table: string, column: string): string {
    const numbers = this.#rows.get(table);
    return numbers ? `${column} NOT IN (${[...numbers].join(", ")})` : "";
  }

  /** How many of a table were found. */
  count(table: string): number {
    return this.#rows.get(table)?.size ?? 0;
  }

  add(table: string, row: StoredRow, error: GatewayError): void {
    if (!this.#told.has(error.detail)) this.#tell(error);
    this.#told.add(error.detail);
    const number = row[ROW_NUMBER];
    if (typeof number !== "number" || !Number.isSafeInteger(number)) return;
    const numbers = this.#rows.get(table) ?? new Set();
    this.#rows.set(table, numbers.add(number));
  }

  /** After a commit: rows that it wrote are looked at again. */
  noteWritten(changes: readonly Change[], get: Get): void {
    if (this.#rows.size === 0) return;
    for (const change of changes) {
      const written = rowOf(change);
      const numbers = written && this.#rows.get(written.table);
      if (!numbers) continue;
      const { table, column, key } = written;
      numbers.delete(Number(get(`SELECT rowid AS ${ROW_NUMBER} FROM ${table} WHERE ${column} = ?`, key)?.[ROW_NUMBER]));
      if (numbers.size === 0) this.#rows.delete(table);
    }
  }
}

/** Whoever writes one of these writes the row anew, so it may be whole again. */
function rowOf(change: Change): { readonly table: string; readonly column: string; readonly key: string } | undefined {
  if (change.kind === "session-put") return { table: "sessions", column: "key", key: change.key };
  if (change.kind === "job-put") return { table: "jobs", column: "id", key: change.job.id };
  if (change.kind === "person-put") return { table: "people", column: "id", key: change.person.id };
  if (change.kind === "outbox-state") return { table: "outbox", column: "id", key: change.id };
  if (change.kind === "errand-state") return { table: "errands", column: "run_id", key: change.runId };
  return change.kind === "turn-end" ? { table: "inbox", column: "run_id", key: change.runId } : undefined;
}
