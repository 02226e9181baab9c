// Tells whether an agent only says again what a tool told it.
import type { DrawnFact } from "./drawn-fact.ts";
import { keyOf } from "../tables/keys.ts";
import type { Sentence } from "./sentences.ts";

export interface Repeats {
  /** All of it stands there. */
  isSentence(sentence: Sentence): boolean;
  /** What it is about, or what it tells of it, stands there. */
  isFact(fact: DrawnFact): boolean;
}

/** Shorter ones stand anywhere. */
const SHORTEST = 4;

export function createRepeats(heard: string): Repeats {
  let words: string | undefined;
  const has = (text: string): boolean => {
    const key = keyOf(text);
    if (key.length < SHORTEST) return false;
    words ??= ` ${keyOf(heard)} `;
    return words.includes(` ${key} `);
  };
  return {
    isSentence: ({ plain }) => has(plain),
    isFact: ({ about, value }) => has(value) || (about.kind === "thing" && has(about.subject)),
  };
}
