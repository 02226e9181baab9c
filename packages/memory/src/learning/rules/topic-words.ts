// The words a text is about: small words, numbers and the words everybody uses are left out.
import { LANGUAGES } from "./languages/known-languages.ts";

const WORDS = /\p{L}[\p{L}\p{M}'-]{2,30}/gu;
/** Forms of one word mostly begin alike. */
const STEM = 6;

function isSmallWord(word: string): boolean {
  return LANGUAGES.some(({ smallWords }) => smallWords.has(word));
}

/** Each once, and pairs of neighbours. */
export function topicWords(sentence: string): string[] {
  const found = new Set<string>();
  let before: string | undefined;
  for (const word of sentence.toLowerCase().match(WORDS) ?? []) {
    if (isSmallWord(word)) {
      before = undefined;
      continue;
    }
    found.add(word);
    if (before !== undefined && before !== word) found.add(`${before} ${word}`);
    before = word;
  }
  return [...found];
}

export function stemsOf(words: Iterable<string>): Set<string> {
  const stems = new Set<string>();
  for (const word of words) if (!word.includes(" ")) stems.add(word.slice(0, STEM));
  return stems;
}
