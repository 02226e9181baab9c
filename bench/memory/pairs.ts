// Reads the questions and the notes that answer them: one line of JSON each, all written by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageCode } from "./content-words.ts";

export const LANGUAGES = ["en", "de", "es"] as const satisfies readonly LanguageCode[];
export const CATEGORIES = ["paraphrase", "keyword", "date", "name", "negation"] as const;
type Category = (typeof CATEGORIES)[number];

export interface Pair {
  readonly id: string;
  readonly category: Category;
  readonly language: LanguageCode;
  readonly question: string;
  /** What a person might put above the note; English ones have it. */
  readonly heading?: string;
  /** What answers the question. */
  readonly note: string;
  /** About the same thing, and no answer. */
  readonly nearMiss: string;
}

/** The questions the search was tuned by. */
export function readPairs(): Pair[] {
  return LANGUAGES.flatMap((language) => readSet("pairs", language));
}

/** Questions in other words that were written apart from any tuning, and that nobody tunes by. */
export function readUnseen(): Pair[] {
  return LANGUAGES.flatMap((language) => readSet("unseen", language));
}

/** More of them, written before it was decided how words and vectors are put together, with headings that people write. */
export function readHeldOut(): Pair[] {
  return readSet("held-out", "en");
}

function readSet(name: "pairs" | "unseen" | "held-out", language: LanguageCode): Pair[] {
  return readFileSync(join(import.meta.dirname, "data", `${name}-${language}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ ...(JSON.parse(line) as Omit<Pair, "language">), language }));
}
