// The blocks of one space in the database, written inside whatever transaction the caller is in.
import type { DatabaseSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { BLOCK_ROWS } from "./row-memory.ts";

export interface StoredBlock {
  readonly ids: Float64Array;
  readonly scales: Uint8Array;
  readonly rows: Uint8Array;
}

const ID_BYTES = 8;
const SCALE_BYTES = 4;
const SHAPE = `CREATE TABLE IF NOT EXISTS vector_blocks (space TEXT NOT NULL, block INTEGER NOT NULL, ids BLOB NOT NULL,
  scales BLOB NOT NULL, rows BLOB NOT NULL, PRIMARY KEY (space, block))`;

export function namesOfSpaces(db: DatabaseSync): string[] {
  db.exec(SHAPE);
  return db
    .prepare("SELECT DISTINCT space FROM vector_blocks ORDER BY space")
    .all()
    .map(({ space }) => String(space));
}

export class BlockTable {
  readonly #db: DatabaseSync;
  readonly #space: string;
  readonly #width: number;

  /** `width`: bytes of a row. */
  constructor(db: DatabaseSync, space: string, width: number) {
    this.#db = db;
    this.#space = space;
    this.#width = width;
    this.ensure();
  }

  /** Again after a rollback, which may have taken the table back. */
  ensure(): void {
    this.#db.exec(SHAPE);
  }

  /** How many vectors there are; reads none of them. */
  count(): number {
    const sum = "SELECT coalesce(sum(length(ids)), 0) AS bytes FROM vector_blocks WHERE space = ?";
    return Number(this.#db.prepare(sum).get(this.#space)?.["bytes"]) / ID_BYTES;
  }

  *read(): Iterable<StoredBlock> {
    const select = "SELECT block, ids, scales, rows FROM vector_blocks WHERE space = ? ORDER BY block";
    let next = 0;
    let wasFull = true;
    for (const { block, ids, scales, rows } of this.#db.prepare(select).iterate(this.#space)) {
      const count = ids instanceof Uint8Array ? ids.length / ID_BYTES : 0;
      const isWhole =
        block === next &&
        wasFull &&
        Number.isInteger(count) &&
        count > 0 &&
        count <= BLOCK_ROWS &&
        ids instanceof Uint8Array &&
        scales instanceof Uint8Array &&
        scales.length === count * SCALE_BYTES &&
        rows instanceof Uint8Array &&
        rows.length === count * this.#width;
      if (!isWhole) throw this.#damage(Number(block));
      yield { ids: new Float64Array(ids.slice().buffer), scales, rows };
      next++;
      wasFull = count === BLOCK_ROWS;
    }
  }

  write(block: number, { ids, scales, rows }: StoredBlock): void {
    const upsert = `INSERT INTO vector_blocks VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET ids = excluded.ids, scales = excluded.scales, rows = excluded.rows`;
    this.#db.prepare(upsert).run(this.#space, block, new Uint8Array(ids.buffer), scales, rows);
  }

  removeFrom(block: number): void {
    this.#db.prepare("DELETE FROM vector_blocks WHERE space = ? AND block >= ?").run(this.#space, block);
  }

  #damage(block: number): GatewayError {
    return new GatewayError("MEMORY_UNAVAILABLE", `block ${block} of the vectors of ${this.#space} is damaged`);
  }
}
