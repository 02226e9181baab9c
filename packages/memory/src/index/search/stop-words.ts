// Words that are in almost every text: they are looked for only when a query has no others.
import byLanguage from "./stop-words.json" with { type: "json" };

/**
 * Not only articles and pronouns: in a few thousand notes "took" or "usually" is as rare as a name, and a note that has it
 * by chance would come before the one that is meant.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  Object.values(byLanguage).flatMap((lines) => lines.flatMap((line) => line.split(" "))),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const ENGLISH: ReadonlySet<string> = new Set(byLanguage.en.flatMap((line) => line.split(" ")));

/** Whether more of the small words between the others are English ones than of another language. */
export function isPlainlyEnglish(words: readonly string[]): boolean {
  const small = words.filter(isStopWord);
  return small.filter((word) => ENGLISH.has(word)).length * 2 > small.length;
}
