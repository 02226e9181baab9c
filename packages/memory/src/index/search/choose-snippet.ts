// The part of a chunk that is shown: where most of the words that were looked for are together.
import { wordsOf } from "@chela/sdk/base";

export interface Snippet {
  readonly text: string;
  /** Of the chunk, the first is 0: where the best part begins. */
  readonly line: number;
}

export const MOST_SNIPPET_CHARS = 700;
const CHARS_BEFORE = 120;
const LONGEST_STEP = 40;

export function chooseSnippet(text: string, wanted: readonly string[]): Snippet {
  const words = new Set(wanted.flatMap((word) => word.split(" ")));
  const best = words.size > 0 ? bestPlace(text, words) : 0;
  const line = countLines(text.slice(0, best));
  if (text.length <= MOST_SNIPPET_CHARS) return { text, line };
  const from = beginning(text, best - CHARS_BEFORE);
  const room = MOST_SNIPPET_CHARS - (from > 0 ? 1 : 0) - 1;
  const to = ending(text, from + room);
  return { text: `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`, line };
}

/** The match from which on most different words are in sight. */
function bestPlace(text: string, words: ReadonlySet<string>): number {
  const matches = [...wordsOf(text)].filter(({ word }) => words.has(word));
  let best = { start: 0, words: 0 };
  const counts = new Map<string, number>();
  let end = 0;
  for (const { start, word } of matches) {
    for (
      let next = matches[end];
      next && next.end <= start + MOST_SNIPPET_CHARS - CHARS_BEFORE;
      next = matches[++end]
    ) {
      counts.set(next.word, (counts.get(next.word) ?? 0) + 1);
    }
    if (counts.size > best.words) best = { start, words: counts.size };
    const left = (counts.get(word) ?? 1) - 1;
    if (left > 0) counts.set(word, left);
    else counts.delete(word);
  }
  return best.start;
}

/** At the beginning of a line, or else of a word, if there is one soon. */
function beginning(text: string, at: number): number {
  if (at <= 0) return 0;
  const line = text.slice(at, at + CHARS_BEFORE).indexOf("\n");
  if (line >= 0) return at + line + 1;
  const space = text.slice(at, at + LONGEST_STEP).indexOf(" ");
  return space < 0 ? wholeCharacter(text, at) : at + space + 1;
}

function ending(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = Math.max(text.lastIndexOf(" ", at), text.lastIndexOf("\n", at));
  return space > at - LONGEST_STEP ? space : wholeCharacter(text, at);
}

/** Never between the two halves of one character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
