// The vectors an embedder made of the chunks: exact in the cache, by what was embedded, and in a space to be found fast.
import { GatewayError, type Clock } from "@chela/sdk";
import type { Embedder } from "../../embedder.ts";
import { VectorSpace, type NearVector } from "../../vectors/vector-space.ts";
import { EmbedderHealth } from "./embedder-health.ts";
import { judgeNear } from "./judge-near.ts";
import type { Store } from "../store/opened-store.ts";
import { fromStored, toBytes, toUnitLength } from "./vector-bytes.ts";

export interface ChunkVector {
  readonly number: number;
  readonly hash: string;
  readonly vector: Float32Array;
}

/** Spaces of others, of what was learned say, are named otherwise. */
const PREFIX = "chunks/";

export class EmbedderSpace {
  readonly embedder: Embedder;
  readonly name: string;
  readonly health: EmbedderHealth;
  /** Chunks the embedder takes no vector from; they are found by their words. */
  readonly refused = new Set<number>();
  readonly #store: Store;
  readonly #clock: Clock;
  #space: VectorSpace | undefined;
  #dimensions: number | undefined;

  constructor(store: Store, embedder: Embedder, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.embedder = embedder;
    this.name = PREFIX + JSON.stringify([embedder.provider, embedder.model, embedder.providerKey]);
    this.health = new EmbedderHealth(clock);
    this.#space = this.#openKnown();
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  get size(): number {
    return this.#space?.size ?? 0;
  }

  has(number: number): boolean {
    return this.#guard((space) => space.has(number), false);
  }

  /** How many of so many chunks have no vector and could have one. */
  gap(chunks: number): number {
    return Math.max(0, chunks - this.size - this.refused.size);
  }

  search(vector: Float32Array, limit: number, accept: ((number: number) => boolean) | undefined): NearVector[] {
    return this.#guard((space) => judgeNear(space, this.embedder.bias, space.search(vector, limit, accept)), []);
  }

  /** How near these are, whether they are among the nearest or not. */
  compare(vector: Float32Array, numbers: readonly number[]): NearVector[] {
    return this.#guard((space) => judgeNear(space, this.embedder.bias, space.compare(vector, numbers)), []);
  }

  /** Part of the caller's transaction. */
  keep(rows: readonly ChunkVector[]): void {
    this.#put(rows);
    for (const { hash, vector } of rows) this.remember(hash, vector);
  }

  /** Only the cache: what was embedded is gone meanwhile, and may come again. */
  remember(hash: string, vector: Float32Array): void {
    const { provider, model, providerKey } = this.embedder;
    this.#store
      .statement("INSERT OR REPLACE INTO embedding_cache VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(provider, model, providerKey, hash, toBytes(vector), vector.length, this.#clock.now());
  }

  cached(hash: string): Float32Array | undefined {
    const { provider, model, providerKey } = this.embedder;
    const sql =
      "SELECT embedding FROM embedding_cache WHERE provider = ? AND model = ? AND provider_key = ? AND hash = ?";
    const vector = fromStored(this.#store.statement(sql).get(provider, model, providerKey, hash)?.["embedding"]);
    const dimensions = this.dimensions ?? vector?.length;
    return vector && vector.length === dimensions ? toUnitLength(vector) : undefined;
  }

  remove(numbers: readonly number[]): void {
    for (const number of numbers) this.refused.delete(number);
    if (this.size > 0) this.#guard((space) => space.remove(numbers), undefined);
  }

  reload(): void {
    this.#space = this.#openKnown();
  }

  /** Gives its memory back until it is needed again. */
  unload(): void {
    this.#space?.unload();
  }

  drop(): void {
    this.#space?.drop();
    this.#space = undefined;
    this.#dimensions = undefined;
    this.refused.clear();
    this.#store.dropMeta(this.#dimensionsKey);
  }

  /** Spaces of chunks whose embedder is none of these cannot be asked anything. */
  static dropOthers(store: Store, kept: readonly EmbedderSpace[]): void {
    const names = new Set(kept.map(({ name }) => name));
    for (const name of VectorSpace.names(store.db)) {
      if (!name.startsWith(PREFIX) || names.has(name)) continue;
      VectorSpace.open(store.db, { name, dimensions: 1, exact: () => undefined }).drop();
      store.dropMeta(`dimensions:${name}`);
    }
  }

  get #dimensionsKey(): string {
    return `dimensions:${this.name}`;
  }

  #put(rows: readonly ChunkVector[]): void {
    const [first] = rows;
    if (!first) return;
    const { length } = first.vector;
    if (this.dimensions !== undefined && this.dimensions !== length) this.drop();
    if (!this.#space) {
      this.#store.setMeta(this.#dimensionsKey, String(length));
      this.#space = this.#openKnown();
    }
    this.#guard((space) => space.put(rows.map(({ number, vector }) => ({ id: number, vector }))), undefined);
  }

  /** A space whose rows are damaged is emptied: it can be put together again from the exact vectors. */
  #guard<T>(work: (space: VectorSpace) => T, otherwise: T): T {
    if (!this.#space) return otherwise;
    try {
      return work(this.#space);
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== "MEMORY_UNAVAILABLE") throw error;
      this.drop();
      return otherwise;
    }
  }

  #openKnown(): VectorSpace | undefined {
    const { name } = this;
    const known = this.#store.meta(this.#dimensionsKey);
    const dimensions = (this.#dimensions = known === undefined ? undefined : Number(known));
    if (dimensions === undefined) return undefined;
    return VectorSpace.open(this.#store.db, { name, dimensions, exact: (number) => this.#exact(number) });
  }

  #exact(number: number): Float32Array | undefined {
    const { provider, model, providerKey } = this.embedder;
    const sql = `SELECT embedding_cache.embedding FROM chunks JOIN embedding_cache USING (hash)
      WHERE number = ? AND provider = ? AND embedding_cache.model = ? AND provider_key = ?`;
    return fromStored(this.#store.statement(sql).get(number, provider, model, providerKey)?.["embedding"]);
  }
}
