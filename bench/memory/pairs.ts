// Reads the questions and the notes that answer them: one line of JSON each, all written by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageCode } from "./content-words.ts";

export const LANGUAGES = ["en", "de", "es"] as const satisfies readonly LanguageCode[];
export const CATEGORIES = ["paraphrase", "keyword", "date", "name", "negation"] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Pair {
  readonly id: string;
  readonly category: Category;
  readonly language: LanguageCode;
  readonly question: string;
  /** What answers the question. */
  readonly note: string;
  /** About the same thing, and no answer. */
  readonly nearMiss: string;
}

/** The questions the search was tuned by. */
export function readPairs(): Pair[] {
  return readSet("pairs");
}

/** Questions in other words that were written apart from any tuning, and that nobody tunes by. */
export function readUnseen(): Pair[] {
  return readSet("unseen");
}

function readSet(name: "pairs" | "unseen"): Pair[] {
  return LANGUAGES.flatMap((language) =>
    readFileSync(join(import.meta.dirname, "data", `${name}-${language}.jsonl`), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ ...(JSON.parse(line) as Omit<Pair, "language">), language })),
  );
}
