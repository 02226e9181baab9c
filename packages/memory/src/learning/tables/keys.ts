// Names as they are compared, ids as they are made, and the numbers of things that are found by words and by vectors.
import { hash } from "node:crypto";
import { wordsOf } from "@chela/sdk/base";

/** Without case, accents and marks. */
export function keyOf(name: string): string {
  return Array.from(wordsOf(name), ({ word }) => word).join(" ");
}

/** The same parts give the same id, today and when everything is learned anew. */
export function makeId(...parts: readonly (string | number)[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, 24);
}

/** Tells the sentences of one episode apart. */
export function shortId(text: string): string {
  return hash("sha256", text).slice(0, 10);
}

/** Facts and episodes share one index of words and one space of vectors: facts are even, episodes odd. */
export function factItem(number: number): number {
  return number * 2;
}

export function episodeItem(number: number): number {
  return number * 2 + 1;
}

export function readItem(item: number): { readonly kind: "fact" | "episode"; readonly number: number } {
  return { kind: item % 2 === 0 ? "fact" : "episode", number: Math.floor(item / 2) };
}
