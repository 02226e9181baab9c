// The words a chunk is found by, and the words a query looks for, both cut and folded in the same way.
import { basename, extname } from "node:path";
import { isUnspaced, wordsOf } from "@chela/sdk/base";

export interface Findable {
  readonly path: string;
  readonly source: string;
  readonly headings: string;
  readonly text: string;
}

/** Nobody asks in so many words; a pasted page is looked for by its beginning. */
const MOST_WORDS = 48;

/** A note is also found by its name and by the headings above the chunk. */
export function wordsToFind({ path, source, headings, text }: Findable): string {
  const name = source === "memory" ? basename(path, extname(path)) : "";
  return Array.from(wordsOf(`${name}\n${headings}\n${text}`), ({ word }) => word).join(" ");
}

/** What is looked for: single words, and pairs of neighbours where a script has no spaces between words. */
export function wordsOfQuery(query: string): string[] {
  const wanted = new Set<string>();
  let before: { word: string; end: number } | undefined;
  let isPaired = false;
  for (const { word, start, end } of wordsOf(query)) {
    if (wanted.size >= MOST_WORDS) break;
    if (!isUnspaced(word)) {
      wanted.add(word);
      before = undefined;
      continue;
    }
    if (before?.end === start) {
      if (!isPaired) wanted.delete(before.word);
      wanted.add(`${before.word} ${word}`);
      isPaired = true;
    } else {
      wanted.add(word);
      isPaired = false;
    }
    before = { word, end };
  }
  return [...wanted];
}
