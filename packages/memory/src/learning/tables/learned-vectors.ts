// The vectors of facts and episodes, in a space of their own for each model.
import { GatewayError } from "@chela/sdk";
import type { Embedder, QueryVector } from "../../embedder.ts";
import { judgeNear } from "../../index/spaces/judge-near.ts";
import type { Store } from "../../index/store/store.ts";
import { fromStored, toBytes } from "../../index/spaces/vector-bytes.ts";
import { VectorSpace, type NearVector } from "../../vectors/vector-space.ts";
import { makeId } from "./keys.ts";

export interface EmbeddedItem {
  readonly item: number;
  readonly sourceType: "fact" | "episode";
  readonly sourceId: string;
  readonly at: number;
  readonly vector: Float32Array;
}

const PREFIX = "learning/";

export class LearnedVectors {
  readonly #store: Store;
  readonly #spaces = new Map<string, VectorSpace>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The model as its vectors are kept under. */
  static modelOf({ provider, model, providerKey }: Embedder): string {
    return JSON.stringify([provider, model, providerKey]);
  }

  /** Among these items, or among all. */
  search(asked: QueryVector, limit: number, items?: ReadonlySet<number>): NearVector[] {
    const accept = items && ((item: number) => items.has(item));
    const find = (space: VectorSpace) => judgeNear(space, asked.bias, space.search(asked.vector, limit, accept));
    return this.#within(modelIn(asked), find) ?? [];
  }

  /** Part of the caller's transaction. */
  put(model: string, items: readonly EmbeddedItem[]): void {
    const [first] = items;
    if (!first) return;
    const dimensions = this.#dimensionsOf(model);
    if (dimensions !== undefined && dimensions !== first.vector.length) this.#dropModel(model);
    for (const { item, sourceType, sourceId, vector, at } of items) {
      this.#store
        .statement("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?, ?, ?, ?, ?)")
        .run(makeId(model, sourceId), sourceType, sourceId, item, model, toBytes(vector), at);
    }
    const rows = items.map(({ item, vector }) => ({ id: item, vector }));
    this.#within(model, (opened) => opened.put(rows));
  }

  /** Part of the caller's transaction. How many there were. */
  remove(items: readonly number[]): number {
    const gone = new Map<string, number[]>();
    for (const item of items) {
      for (const { model } of this.#store.statement("SELECT model FROM embeddings WHERE item = ?").all(item)) {
        const known = gone.get(String(model));
        if (known) known.push(item);
        else gone.set(String(model), [item]);
      }
    }
    let count = 0;
    for (const [model, numbers] of gone) {
      this.#within(model, (space) => space.remove(numbers));
      count += numbers.length;
    }
    for (const item of items) this.#store.statement("DELETE FROM embeddings WHERE item = ?").run(item);
    return count;
  }

  /** Part of the caller's transaction. */
  clear(): void {
    for (const name of VectorSpace.names(this.#store.db)) {
      if (name.startsWith(PREFIX))
        VectorSpace.open(this.#store.db, { name, dimensions: 1, exact: () => undefined }).drop();
    }
    this.#spaces.clear();
    this.#store.db.exec("DELETE FROM embeddings");
  }

  /** After a transaction was undone: what is in the file counts. */
  reload(): void {
    this.#spaces.clear();
  }

  /** A damaged space is put together again from the exact vectors. Undefined when there is none. */
  #within<T>(model: string, work: (space: VectorSpace) => T): T | undefined {
    const space = this.#open(model);
    if (!space) return undefined;
    try {
      return work(space);
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== "MEMORY_UNAVAILABLE") throw error;
      space.drop();
      space.put(this.#vectorsOf(model));
      return work(space);
    }
  }

  #open(model: string): VectorSpace | undefined {
    const known = this.#spaces.get(model);
    if (known) return known;
    const dimensions = this.#dimensionsOf(model);
    if (dimensions === undefined) return undefined;
    const exact = (item: number) => this.#exact(item, model);
    const space = VectorSpace.open(this.#store.db, { name: PREFIX + model, dimensions, exact });
    this.#spaces.set(model, space);
    return space;
  }

  #dropModel(model: string): void {
    this.#within(model, (space) => space.drop());
    this.#spaces.delete(model);
    this.#store.statement("DELETE FROM embeddings WHERE model = ?").run(model);
  }

  #dimensionsOf(model: string): number | undefined {
    const row = this.#store
      .statement("SELECT length(vector) AS bytes FROM embeddings WHERE model = ? LIMIT 1")
      .get(model);
    return row && Number(row["bytes"]) / Float32Array.BYTES_PER_ELEMENT;
  }

  #exact(item: number, model: string): Float32Array | undefined {
    const sql = "SELECT vector FROM embeddings WHERE item = ? AND model = ?";
    return fromStored(this.#store.statement(sql).get(item, model)?.["vector"]);
  }

  #vectorsOf(model: string): { id: number; vector: Float32Array }[] {
    const rows = this.#store.statement("SELECT item, vector FROM embeddings WHERE model = ? ORDER BY item").all(model);
    return rows.flatMap((row) => {
      const vector = fromStored(row["vector"]);
      return vector ? [{ id: Number(row["item"]), vector }] : [];
    });
  }
}

/** Spaces of others, of chunks say, are named otherwise and are of the same model. */
function modelIn({ space }: QueryVector): string {
  return space.slice(space.indexOf("/") + 1);
}
