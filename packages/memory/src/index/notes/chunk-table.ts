// The chunks in the file, and everything that has to go with them: their words, their vectors, who said them.
import type { Clock } from "@chela/sdk";
import type { MemorySource } from "../../messages.ts";
import { hashOfChunk, type TextChunk } from "./chunk-text.ts";
import type { AgentSpaces } from "../spaces/agent-spaces.ts";
import type { Store } from "../store/opened-store.ts";
import { wordsToFind } from "../search/words-to-find.ts";

export interface ChunkRow {
  readonly number: number;
  readonly path: string;
  readonly source: MemorySource;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export interface EmbeddableChunk {
  readonly number: number;
  readonly hash: string;
}

export class ChunkTable {
  readonly #store: Store;
  readonly #shelf: AgentSpaces;
  readonly #clock: Clock;
  #count: number | undefined;

  constructor(store: Store, shelf: AgentSpaces, clock: Clock) {
    this.#store = store;
    this.#shelf = shelf;
    this.#clock = clock;
    store.onUndone(() => (this.#count = undefined));
  }

  get count(): number {
    return (this.#count ??= Number(this.#store.statement("SELECT count(*) AS count FROM chunks").get()?.["count"]));
  }

  /** `id` has to be another one for each chunk of the whole index. */
  add(chunk: TextChunk & { readonly id: string; readonly path: string; readonly source: MemorySource }): number {
    const { id, path, source, startLine, endLine, text, headings } = chunk;
    const before = this.count;
    const { lastInsertRowid } = this.#store
      .statement(
        `INSERT INTO chunks (id, path, source, start_line, end_line, hash, text, updated_at, headings)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(id, path, source, startLine, endLine, hashOfChunk(chunk), text, this.#clock.now(), headings);
    this.#store
      .statement("INSERT INTO chunks_fts (rowid, text) VALUES (?, ?)")
      .run(lastInsertRowid, wordsToFind(chunk));
    this.#count = before + 1;
    return Number(lastInsertRowid);
  }

  move(number: number, startLine: number, endLine: number): void {
    this.#store
      .statement("UPDATE chunks SET start_line = ?, end_line = ? WHERE number = ?")
      .run(startLine, endLine, number);
  }

  remove(numbers: readonly number[]): void {
    if (numbers.length === 0) return;
    const before = this.count;
    for (const number of numbers) {
      this.#store.statement("DELETE FROM chunks WHERE number = ?").run(number);
      this.#store.statement("DELETE FROM chunks_fts WHERE rowid = ?").run(number);
      this.#store.statement("DELETE FROM said WHERE number = ?").run(number);
    }
    this.#shelf.remove(numbers);
    this.#count = before - numbers.length;
  }

  /** Removes them and the vectors of what nobody else says: nothing of it is left. Gives the number of those vectors. */
  forget(numbers: readonly number[]): number {
    const hashes = new Set(
      numbers.map((number) => this.#store.statement("SELECT hash FROM chunks WHERE number = ?").get(number)?.["hash"]),
    );
    this.remove(numbers);
    let vectors = 0;
    for (const hash of hashes) {
      const { changes } = this.#store
        .statement("DELETE FROM embedding_cache WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM chunks WHERE hash = ?)")
        .run(String(hash), String(hash));
      vectors += Number(changes);
    }
    return vectors;
  }

  numbersOf(path: string): number[] {
    const rows = this.#store.statement("SELECT number FROM chunks WHERE path = ?").all(path);
    return rows.map(({ number }) => Number(number));
  }

  /** In the order of the note; each has what tells whether it is still the same. */
  ofPath(path: string): { number: number; hash: string; startLine: number; endLine: number }[] {
    return this.#store
      .statement("SELECT number, hash, start_line, end_line FROM chunks WHERE path = ? ORDER BY start_line, number")
      .all(path)
      .map(({ number, hash, start_line: startLine, end_line: endLine }) => ({
        number: Number(number),
        hash: String(hash),
        startLine: Number(startLine),
        endLine: Number(endLine),
      }));
  }

  get(number: number): ChunkRow | undefined {
    const row = this.#store
      .statement("SELECT path, source, start_line, end_line, text FROM chunks WHERE number = ?")
      .get(number);
    if (!row) return undefined;
    return {
      number,
      path: String(row["path"]),
      source: row["source"] === "sessions" ? "sessions" : "memory",
      startLine: Number(row["start_line"]),
      endLine: Number(row["end_line"]),
      text: String(row["text"]),
    };
  }

  after(number: number, most: number): EmbeddableChunk[] {
    return this.#store
      .statement("SELECT number, hash FROM chunks WHERE number > ? ORDER BY number LIMIT ?")
      .all(number, most)
      .map((row) => ({ number: Number(row["number"]), hash: String(row["hash"]) }));
  }

  /** Undefined when it is gone. */
  textToEmbed(number: number): { headings: string; text: string } | undefined {
    const row = this.#store.statement("SELECT headings, text FROM chunks WHERE number = ?").get(number);
    return row && { headings: String(row["headings"]), text: String(row["text"]) };
  }

  has({ number, hash }: EmbeddableChunk): boolean {
    return this.#store.statement("SELECT 1 FROM chunks WHERE number = ? AND hash = ?").get(number, hash) !== undefined;
  }
}
