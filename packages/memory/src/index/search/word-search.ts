// Finds chunks by their words: any of them, the rare ones counting most. Nothing of a query is syntax.
import type { MemorySource } from "../../messages.ts";
import type { ChunkTable } from "../notes/chunk-table.ts";
import type { Store } from "../store/opened-store.ts";
import type { NoteLanguages } from "../../languages/note-languages.ts";
import { isPlainlyEnglish, isStopWord } from "./stop-words.ts";

export interface ChunkFilter {
  readonly sources: readonly MemorySource[];
  /** Undefined: everybody's. */
  readonly sessionKeys?: readonly string[];
}

type StemOf = (word: string) => string | undefined;

export interface WordHit {
  readonly number: number;
  /** Of what all words of the query are worth, rare ones most: 1 is about all of them, each once. */
  readonly share: number;
  /** Compared with the best of this query, which has 1. */
  readonly relative: number;
}

/** Rows that are judged for one query; words that are in more of them say little beside rarer ones. */
const MOST_JUDGED = 2_000;
/** The index has grown or shrunk by so much: how often words occur is counted again. */
const OUTDATED = 0.1;
const MOST_COUNTED = 10_000;

export class WordSearch {
  readonly #store: Store;
  readonly #chunks: ChunkTable;
  readonly #occurrences = new Map<string, number>();
  #countedAt = 0;

  readonly #languages: Pick<NoteLanguages, "stemOf">;

  constructor(store: Store, chunks: ChunkTable, languages: Pick<NoteLanguages, "stemOf">) {
    this.#languages = languages;
    this.#store = store;
    this.#chunks = chunks;
  }

  /** The best first. */
  find(words: readonly string[], filter: ChunkFilter | undefined, limit: number): WordHit[] {
    // English words have no other forms here, and their stems are the beginnings of others.
    const isEnglish = isPlainlyEnglish(words);
    const stemOf: StemOf = (word) => (isEnglish ? undefined : this.#languages.stemOf(word));
    const { chosen, worth } = this.#choose(words, stemOf);
    if (chosen.length === 0) return [];
    const expression = chosen.map((word) => expressionOf(word, stemOf(word))).join(" OR ");
    const { sql, values } = filterSql(filter);
    const rows = this.#store
      .statement(
        `SELECT rowid AS number, bm25(chunks_fts) AS score FROM chunks_fts WHERE chunks_fts MATCH ? ${sql}
         ORDER BY rank LIMIT ?`,
      )
      .all(expression, ...values, limit);
    const best = -Number(rows[0]?.["score"]);
    return rows.map((row) => {
      const score = -Number(row["score"]);
      return { number: Number(row["number"]), share: Math.min(1, score / worth), relative: score / best };
    });
  }

  /** For those who look one by one. */
  accepts(filter: ChunkFilter): (number: number) => boolean {
    const { sql, values } = filterSql(filter);
    const statement = this.#store.statement(`SELECT 1 FROM (SELECT ? AS rowid) AS chunks_fts WHERE TRUE ${sql}`);
    return (number) => statement.get(number, ...values) !== undefined;
  }

  /** Rare words first, until there are enough rows to judge; very common ones only when there is nothing else. */
  #choose(words: readonly string[], stemOf: StemOf): { chosen: string[]; worth: number } {
    const telling = words.filter((word) => !isStopWord(word));
    const counted = (telling.length > 0 ? telling : words)
      .map((word) => ({ word, rows: this.#rowsWith(word, stemOf) }))
      .sort((a, b) => a.rows - b.rows);
    const chosen: string[] = [];
    let judged = 0;
    let worth = 0;
    for (const { word, rows } of counted) {
      if (chosen.length > 0 && judged + rows > MOST_JUDGED) break;
      if (rows > 0) chosen.push(word);
      judged += rows;
      worth += worthOf(rows, this.#chunks.count);
    }
    return { chosen, worth };
  }

  /** Of two neighbours it is as rare as the rarer one. */
  #rowsWith(word: string, stemOf: StemOf): number {
    const { count } = this.#chunks;
    const isOutdated = Math.abs(count - this.#countedAt) > this.#countedAt * OUTDATED;
    if (isOutdated || this.#occurrences.size > MOST_COUNTED) {
      this.#occurrences.clear();
      this.#countedAt = count;
    }
    return Math.min(...word.split(" ").map((part) => this.#occurrencesOf(stemOf(part), part)));
  }

  #occurrencesOf(stem: string | undefined, word: string): number {
    const key = stem === undefined ? word : `${stem}*`;
    const known = this.#occurrences.get(key);
    if (known !== undefined) return known;
    const row =
      stem === undefined
        ? this.#store.statement("SELECT doc FROM chunks_words WHERE term = ?").get(word)
        : this.#store
            .statement("SELECT sum(doc) AS doc FROM chunks_words WHERE term >= ? AND term < ?")
            .get(stem, `${stem}\u{10ffff}`);
    const rows = Math.min(this.#chunks.count, Number(row?.["doc"] ?? 0));
    // A word that is not there yet may come with the next note.
    if (rows > 0) this.#occurrences.set(key, rows);
    return rows;
  }
}

/** All forms of a word begin with its stem. */
function expressionOf(word: string, stem: string | undefined): string {
  return stem === undefined ? `"${word.replaceAll('"', '""')}"` : `"${stem}"*`;
}

/** As bm25 of SQLite counts it; a word that nobody wrote is worth as much as one that is in a single chunk. */
function worthOf(rows: number, chunks: number): number {
  const having = Math.max(1, rows);
  return Math.max(1e-6, Math.log((chunks - having + 0.5) / (having + 0.5)));
}

function filterSql(filter: ChunkFilter | undefined): { sql: string; values: string[] } {
  if (!filter) return { sql: "", values: [] };
  const { sources, sessionKeys } = filter;
  const isIn = "(SELECT value FROM json_each(?))";
  const hasSource = `AND EXISTS (SELECT 1 FROM chunks WHERE number = chunks_fts.rowid AND source IN ${isIn})`;
  if (sessionKeys === undefined || !sources.includes("sessions"))
    return { sql: hasSource, values: [JSON.stringify(sources)] };
  const isSaidThere = `EXISTS (SELECT 1 FROM said WHERE number = chunks_fts.rowid AND session_key IN ${isIn})`;
  const isNote = "NOT EXISTS (SELECT 1 FROM said WHERE number = chunks_fts.rowid)";
  return {
    sql: `${hasSource} AND (${isNote} OR ${isSaidThere})`,
    values: [JSON.stringify(sources), JSON.stringify(sessionKeys)],
  };
}
