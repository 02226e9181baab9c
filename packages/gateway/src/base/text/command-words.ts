// Words behind a chat command, and how much of a message belongs to a command inside it.
import type { CommandPlace, TakeArguments } from "@chela/sdk";

/** Take a setting back. In the middle of a sentence these words mean something else. */
export const INHERIT_WORDS: readonly string[] = ["default", "inherit", "reset", "clear"];

export function takeLevel(words: ReadonlyMap<string, string>): TakeArguments {
  return (behind, place) =>
    takeWhile(behind, place, 1, (word) => words.has(word.toLowerCase()) || isInherit(word, place));
}

export const isInherit = (word: string, place: CommandPlace) =>
  place === "start" && INHERIT_WORDS.includes(word.toLowerCase());

/** The end of the last of up to `most` words that fit. At the start of a message a bare command is fine too. */
export function takeWhile(
  behind: string,
  place: CommandPlace,
  most: number,
  fits: (word: string) => boolean,
): number | undefined {
  let end = 0;
  for (let count = 0; count < most; count += 1) {
    const next = firstWord(behind.slice(end));
    if (!next || !fits(next.word)) break;
    end += next.end;
  }
  if (end > 0) return end;
  return place === "start" && behind.trim() === "" ? behind.length : undefined;
}

/** The next word on the same line, without the punctuation that ends a sentence. */
export function firstWord(text: string): { readonly word: string; readonly end: number } | undefined {
  const found = /^[ \t]*([^\s,;!?]{1,200}?)(?=[.,;!?]?(?:\s|$))/.exec(text);
  return found?.[1] ? { word: found[1], end: found[0].length } : undefined;
}

/** `{ low: "low on" }` becomes low → low, on → low. */
export function wordTable(meanings: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(meanings).flatMap(([value, words]) => words.split(" ").map((word) => [word, value])));
}
