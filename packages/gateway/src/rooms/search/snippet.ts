// The part of a message that shows why it was found, with the places of the words that were looked for.
import type { Term } from "./query.ts";
import { wordsOf, type PlacedWord } from "@chela/sdk/base";

export interface Snippet {
  readonly text: string;
  /** Start and end of each match within `text`. */
  readonly ranges: ReadonlyArray<readonly [number, number]>;
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: Term;
}

const CHARS = 240;
const CHARS_BEFORE = 60;
const LONGEST_STEP = 24;
const MOST_MATCHES = 50;

export function makeSnippet(text: string, terms: readonly Term[]): Snippet {
  const matches = findMatches(text, terms);
  const first = chooseFirst(matches);
  const from = beginning(text, (first?.start ?? 0) - CHARS_BEFORE);
  const to = Math.max(first?.end ?? 0, ending(text, from + CHARS));
  const before = from > 0 ? "…" : "";
  // One for one, so that the places stay right.
  const shown = text.slice(from, to).replace(/\s/g, " ");
  const moved = before.length - from;
  return {
    text: `${before}${shown}${to < text.length ? "…" : ""}`,
    ranges: matches
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => [start + moved, end + moved] as const),
  };
}

/** Whether each term is somewhere in the text. */
export function hasAll(text: string, terms: readonly Term[]): boolean {
  return terms.every((term) => findMatches(text, [term], 1).length > 0);
}

/** In the order of the text, none inside another. */
function findMatches(text: string, terms: readonly Term[], most = MOST_MATCHES): Match[] {
  const longest = Math.max(1, ...terms.map(({ words }) => words.length));
  const recent: PlacedWord[] = [];
  const matches: Match[] = [];
  for (const word of wordsOf(text)) {
    recent.push(word);
    if (recent.length > longest) recent.shift();
    for (const term of terms) {
      const start = recent.at(-term.words.length)?.start;
      if (start === undefined || !endsWith(recent, term)) continue;
      const last = matches.at(-1);
      if (last && start < last.end) {
        if (start < last.start) matches[matches.length - 1] = { start, end: word.end, term };
        continue;
      }
      matches.push({ start, end: word.end, term });
    }
    if (matches.length >= most) break;
  }
  return matches;
}

function endsWith(recent: readonly PlacedWord[], { words, isPrefix }: Term): boolean {
  const offset = recent.length - words.length;
  if (offset < 0) return false;
  return words.every((wanted, at) => {
    const found = recent[offset + at]?.word;
    return isPrefix && at === words.length - 1 ? found?.startsWith(wanted) : found === wanted;
  });
}

/** The match from which on most of the different terms are in sight. */
function chooseFirst(matches: readonly Match[]): Match | undefined {
  let best: { match: Match; terms: number } | undefined;
  for (const [at, match] of matches.entries()) {
    const seen = new Set<Term>();
    for (const { term, end } of matches.slice(at)) {
      if (end > match.start + CHARS - CHARS_BEFORE) break;
      seen.add(term);
    }
    if (seen.size > (best?.terms ?? 0)) best = { match, terms: seen.size };
  }
  return best?.match;
}

/** At the next word, if one begins soon. */
function beginning(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.slice(at, at + LONGEST_STEP).search(/\s\S/);
  return space < 0 ? wholeCharacter(text, at) : at + space + 1;
}

/** Behind the last word, if one ended just before. */
function ending(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const tail = text.slice(at - LONGEST_STEP, at);
  const space = tail.search(/\s+\S*$/);
  return space < 0 ? wholeCharacter(text, at) : at - LONGEST_STEP + space;
}

/** Never between the two halves of one character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
