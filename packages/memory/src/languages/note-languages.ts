// Detects which languages the notes of an agent are in, from some of them, and stems words in those.
import type { LanguageShare } from "../messages.ts";
import type { Store } from "../index/store/opened-store.ts";
import { loadStemmer, type Stemmer } from "./stemmers.ts";

/** Chunks that are looked at, evenly over all. */
const SAMPLE = 200;
/** When the number of chunks has changed by more than this share, they are looked at anew. */
const OUTDATED = 0.1;
/** What is in fewer notes may be a mistake. */
const LEAST_SHARE = 0.05;
/** A shorter stem is the beginning of too many words. */
const SHORTEST_STEM = 4;

export class NoteLanguages {
  readonly #store: Store;
  #shares: readonly LanguageShare[] = [];
  #stemmers: readonly Stemmer[] = [];
  #lookedAt = -1;
  #looking: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The most frequent first. Of the chunks whose language can be told; the others are left out. */
  async shares(chunks: number): Promise<readonly LanguageShare[]> {
    await this.look(chunks);
    return this.#shares;
  }

  /** Costs nothing as long as there are about as many chunks as the last time. */
  async look(chunks: number): Promise<void> {
    const isKnown = this.#lookedAt >= 0 && Math.abs(chunks - this.#lookedAt) <= this.#lookedAt * OUTDATED;
    if (!isKnown) await (this.#looking ??= this.#lookNow(chunks).finally(() => (this.#looking = undefined)));
  }

  /** What all forms of a word begin with, in a language of the notes other than English. */
  stemOf(word: string): string | undefined {
    const stems = this.#stemmers
      .map((stem) => stem(word))
      .filter((stem) => stem.length >= SHORTEST_STEM && word.startsWith(stem));
    return stems.reduce<string | undefined>((a, b) => (a !== undefined && a.length <= b.length ? a : b), undefined);
  }

  async #lookNow(chunks: number): Promise<void> {
    const { detectLanguage } = await import("./detect-language.ts");
    const counts = new Map<string, number>();
    for (const text of this.#sample()) {
      const language = detectLanguage(text);
      if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    const total = counts.values().reduce((sum, count) => sum + count, 0);
    const shares = [...counts].map(([language, count]) => ({ language, share: count / total }));
    this.#shares = shares.filter(({ share }) => share >= LEAST_SHARE).toSorted((a, b) => b.share - a.share);
    const others = this.#shares.filter(({ language }) => language !== "en");
    const stemmers = await Promise.all(others.map(({ language }) => loadStemmer(language)));
    this.#stemmers = stemmers.filter((stemmer) => stemmer !== undefined);
    this.#lookedAt = chunks;
  }

  *#sample(): Iterable<string> {
    const last = Number(this.#store.statement("SELECT max(number) AS last FROM chunks").get()?.["last"] ?? 0);
    const step = Math.max(1, last / SAMPLE);
    const next = this.#store.statement("SELECT number, text FROM chunks WHERE number >= ? ORDER BY number LIMIT 1");
    for (let from = 1; from <= last;) {
      const row = next.get(Math.floor(from));
      if (!row) return;
      yield String(row["text"]);
      from = Math.max(Number(row["number"]) + 1, from + step);
    }
  }
}
