// The index of words over facts and episodes. Nothing of a query is syntax.
import { wordsOf } from "@chela/sdk/base";
import { isStopWord } from "../../index/search/stop-words.ts";
import type { Store } from "../../index/store/store.ts";
import { wordsOfQuery } from "../../index/search/words-to-find.ts";

export interface WordMatch {
  readonly item: number;
  /** The best of a query has 1. */
  readonly score: number;
}

export class WordTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  add(item: number, text: string): void {
    const words = Array.from(wordsOf(text), ({ word }) => word).join(" ");
    this.#store.statement("INSERT INTO learned_words (rowid, words) VALUES (?, ?)").run(item, words);
  }

  remove(item: number): void {
    this.#store.statement("DELETE FROM learned_words WHERE rowid = ?").run(item);
  }

  /** Rows that were removed leave their words behind until parts of the index are merged: here they all are. */
  wipe(): void {
    this.#store.db.exec("INSERT INTO learned_words (learned_words) VALUES ('optimize')");
  }

  /** Any of the words, the best first; among these items, or among all. */
  find(words: readonly string[], limit: number, items?: ReadonlySet<number>): WordMatch[] {
    if (words.length === 0) return [];
    const among = items ? "AND rowid IN (SELECT value FROM json_each(?))" : "";
    const sql = `SELECT rowid AS item, bm25(learned_words) AS score FROM learned_words
      WHERE learned_words MATCH ? ${among} ORDER BY rank, rowid LIMIT ?`;
    const wanted = items ? [JSON.stringify([...items])] : [];
    const rows = this.#store.statement(sql).all(words.map(quote).join(" OR "), ...wanted, limit);
    const best = Number(rows[0]?.["score"]);
    return rows.map((row) => ({ item: Number(row["item"]), score: best === 0 ? 1 : Number(row["score"]) / best }));
  }

  /** Everything a name is in; "Annas" counts as "Anna". */
  mentions(name: string): number[] {
    const rows = this.#store
      .statement("SELECT rowid AS item FROM learned_words WHERE learned_words MATCH ? ORDER BY rowid")
      .all(`${quote(name)} OR ${quote(`${name}s`)}`);
    return rows.map(({ item }) => Number(item));
  }

  /** Undefined when there is no word in it. */
  expressionOfAll(query: string): string | undefined {
    const words = wordsOfQuery(query);
    return words.length > 0 ? words.map(quote).join(" AND ") : undefined;
  }
}

/** Small words only when there is nothing else. */
export function wordsToLookFor(query: string): string[] {
  const words = wordsOfQuery(query);
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}

function quote(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
}
