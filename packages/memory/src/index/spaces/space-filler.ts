// Makes the missing vectors behind everything else: a batch at a time, each committed by itself, so that a kill loses one.
import { GatewayError, type Clock } from "@chela/sdk";
import { orAborted } from "@chela/sdk/base";
import type { KeeperLog } from "../../keeper-log.ts";
import type { Progress } from "../../messages.ts";
import { ChunkEmbedder } from "./embed-chunks.ts";
import { embedTextOf, type EmbeddableText } from "./embed-text.ts";
import type { ChunkTable, EmbeddableChunk } from "../notes/chunk-table.ts";
import { retryAfterMs } from "./embedder-health.ts";
import type { ChunkVector, EmbedderSpace } from "./embedder-space.ts";
import { pause } from "../pause.ts";
import type { Store } from "../store/opened-store.ts";
import { toUnitLength } from "./vector-bytes.ts";

export interface FillerParts {
  readonly store: Store;
  readonly chunks: ChunkTable;
  readonly clock: Clock;
  readonly log: KeeperLog;
  /** Texts that are embedded together. */
  readonly atOnce: number;
  /** Those it fills, the most urgent first. */
  spaces(): readonly EmbedderSpace[];
  /** So many chunks are waited for before it begins: while notes are read, more are coming. */
  least(): number;
  progressed(progress: Progress): void;
  /** Nothing is missing any more, or nothing more can be done for now. */
  rested(hasWorked: boolean): void;
  /** The index itself cannot be written; tells whether to try again. */
  failed(error: unknown): boolean;
}

/** Vectors that are at hand are only copied. */
const COPIED_AT_ONCE = 1_000;
const PROGRESS_EVERY_MS = 1_000;
const RETRY_MS = 60_000;
/** Asked for after a failure: whether it is this text, or the embedder. */
const PROBE = "A note.";

export class SpaceFiller {
  readonly #parts: FillerParts;
  readonly #stop = new AbortController();
  /** For each space the number up to which nothing is missing. */
  readonly #filledTo = new Map<EmbedderSpace, number>();
  readonly #embedders = new Map<EmbedderSpace, ChunkEmbedder>();
  #batch: number;
  #running: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #toldAt = -Infinity;
  #current: EmbedderSpace | undefined;

  constructor(parts: FillerParts) {
    this.#parts = parts;
    this.#batch = parts.atOnce;
    parts.store.onUndone(() => this.#filledTo.clear());
  }

  /** Begins, unless it is at work. Outside of any transaction: the work begins later. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#current = undefined;
    });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get progress(): Progress | undefined {
    const { count } = this.#parts.chunks;
    return this.#current && { phase: "vectors", done: Math.min(count, this.#current.size), of: count };
  }

  /** Once nothing more can be done for now. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancelRetry?.();
    await this.#running;
  }

  /** A space was emptied or lost some of its vectors. */
  lookAgain(): void {
    this.#filledTo.clear();
    this.wake();
  }

  async #run(): Promise<void> {
    await pause();
    try {
      for (let space = this.#next(); space; space = this.#next()) {
        this.#current = space;
        await this.#step(space);
        this.#tell(false);
        await pause();
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#parts.log("warn", "vectors could not be kept", { error: String(error) });
      if (this.#parts.failed(error)) this.#retryAfter(RETRY_MS);
      return;
    }
    if (!this.#stop.signal.aborted) this.#rest();
  }

  #rest(): void {
    this.#embedders.clear();
    this.#tell(true);
    this.#parts.rested(this.#current !== undefined);
    const rests = this.#lacking()
      .map(({ health }) => health.restMs)
      .filter((ms) => ms > 0);
    if (rests.length > 0) this.#retryAfter(Math.min(...rests));
  }

  #next(): EmbedderSpace | undefined {
    if (this.#stop.signal.aborted) return undefined;
    return this.#lacking().find(({ health }) => health.restMs === 0);
  }

  #lacking(): EmbedderSpace[] {
    const { spaces, chunks, least } = this.#parts;
    return spaces().filter((space) => space.gap(chunks.count) >= least());
  }

  #retryAfter(ms: number): void {
    this.#cancelRetry ??= this.#parts.clock.after(ms, () => {
      this.#cancelRetry = undefined;
      this.wake();
    });
  }

  async #step(space: EmbedderSpace): Promise<void> {
    const missing = this.#missing(space, this.#batch);
    if (missing.length === 0) {
      // Its rows and the chunks do not agree: it is put together again from the exact vectors.
      this.#parts.store.transaction(() => space.drop());
      this.#filledTo.delete(space);
    } else if (missing.some(({ hash }) => space.cached(hash))) {
      this.#keep(space, atHand(space, this.#missing(space, COPIED_AT_ONCE)));
    } else {
      await this.#embed(space, withoutRepeats(missing));
    }
  }

  /** Of the next chunks, at most so many. */
  #missing(space: EmbedderSpace, most: number): EmbeddableChunk[] {
    let from = this.#filledTo.get(space) ?? 0;
    for (;;) {
      const rows = this.#parts.chunks.after(from, most);
      const missing = rows.filter(({ number }) => !space.has(number) && !space.refused.has(number));
      const first = missing[0]?.number ?? rows.at(-1)?.number;
      if (first === undefined) return [];
      from = missing.length > 0 ? first - 1 : first;
      this.#filledTo.set(space, from);
      if (missing.length > 0) return missing;
    }
  }

  async #embed(space: EmbedderSpace, batch: readonly EmbeddableChunk[]): Promise<void> {
    const texts = batch.map(({ number }) => {
      const chunk = this.#parts.chunks.textToEmbed(number);
      return chunk ? embedTextOf(chunk) : { text: "" };
    });
    let rows: ChunkVector[];
    try {
      const vectors = await this.#embedChunks(space, texts);
      rows = batch.map((chunk, at) => ({ ...chunk, vector: checkVector(vectors[at], vectors[0]) }));
    } catch (error) {
      if (!this.#stop.signal.aborted) await this.#failed(space, batch, error);
      return;
    }
    if (this.#stop.signal.aborted) return;
    space.health.succeeded();
    this.#batch = Math.min(this.#parts.atOnce, this.#batch * 2);
    this.#keep(space, rows);
  }

  /** What was removed while it was embedded is not put back; its vector may be of use again. */
  #keep(space: EmbedderSpace, rows: readonly ChunkVector[]): void {
    const { store, chunks } = this.#parts;
    store.transaction(() => {
      space.keep(rows.filter((row) => chunks.has(row)));
      for (const row of rows) if (!chunks.has(row)) space.remember(row.hash, row.vector);
    });
  }

  /** One text that no vector can be made of does not hold up the others. */
  async #failed(space: EmbedderSpace, batch: readonly EmbeddableChunk[], error: unknown): Promise<void> {
    const isText = retryAfterMs(error) === undefined && (await this.#canEmbed(space));
    if (this.#stop.signal.aborted) return;
    const [only] = batch;
    if (!isText) {
      space.health.failed(error);
      this.#parts.log("warn", "vectors cannot be made just now", {
        model: space.embedder.model,
        why: space.health.why,
        retryInMs: space.health.restMs,
      });
    } else if (batch.length > 1) {
      this.#batch = Math.ceil(batch.length / 2);
    } else if (only) {
      space.refused.add(only.number);
      this.#parts.log("warn", "a chunk has no vector: its text is refused", {
        model: space.embedder.model,
        path: this.#parts.chunks.get(only.number)?.path,
        error: String(error),
      });
    }
  }

  #embedChunks(space: EmbedderSpace, chunks: readonly EmbeddableText[]): Promise<(Float32Array | undefined)[]> {
    const known = this.#embedders.get(space) ?? new ChunkEmbedder();
    this.#embedders.set(space, known);
    return known.embed(chunks, (texts) => this.#ask(space, texts));
  }

  /** Whoever stops does not wait for an embedder that never answers. */
  #ask(space: EmbedderSpace, texts: readonly string[]): Promise<Float32Array[]> {
    const { signal } = this.#stop;
    return orAborted(space.embedder.embed(texts, "document", signal), signal);
  }

  async #canEmbed(space: EmbedderSpace): Promise<boolean> {
    try {
      return (await this.#ask(space, [PROBE])).length === 1;
    } catch {
      return false;
    }
  }

  #tell(isEnd: boolean): void {
    const { progress } = this;
    const now = this.#parts.clock.steady();
    if (!progress || (!isEnd && now - this.#toldAt < PROGRESS_EVERY_MS)) return;
    this.#toldAt = now;
    this.#parts.progressed(progress);
  }
}

function atHand(space: EmbedderSpace, chunks: readonly EmbeddableChunk[]): ChunkVector[] {
  return chunks.flatMap((chunk) => {
    const vector = space.cached(chunk.hash);
    return vector ? [{ ...chunk, vector }] : [];
  });
}

/** The same words in two places are embedded once; the second finds the vector at hand. */
function withoutRepeats(chunks: readonly EmbeddableChunk[]): EmbeddableChunk[] {
  return [...new Map(chunks.map((chunk) => [chunk.hash, chunk])).values()];
}

function checkVector(vector: Float32Array | undefined, first: Float32Array | undefined): Float32Array {
  const unit = vector && vector.length === first?.length ? toUnitLength(vector) : undefined;
  if (!unit) throw new GatewayError("MEMORY_EMBEDDING", "what came back is no vector");
  return unit;
}
