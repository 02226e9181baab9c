// Parses a search: words that must all be there, "phrases", -words that must not. Nothing is an error.
import { isUnspaced, wordsOf } from "@chela/sdk/base";

/** Words that stand together, in this order. */
export interface Term {
  readonly words: readonly string[];
  /** The last word may go on: the person may still be typing it. */
  readonly isPrefix: boolean;
}

export interface Query {
  readonly all: readonly Term[];
  readonly none: readonly Term[];
}

const PARTS = /(-?)"([^"]*)(?:"|$)|(\S+)/g;
const MOST_TERMS = 32;
const SHORTEST_PREFIX = 2;

export function readQuery(text: string): Query {
  const all: Term[] = [];
  const none: Term[] = [];
  for (const { 0: whole, 1: minus, 2: quoted, 3: plain, index } of [...text.matchAll(PARTS)].slice(0, MOST_TERMS)) {
    const isWanted = quoted === undefined ? !/^-[^-]/.test(plain ?? "") : minus === "";
    const words = [...wordsOf(quoted ?? plain ?? "")].map(({ word }) => word);
    const last = words.at(-1);
    if (last === undefined) continue;
    const isLast = quoted === undefined && index + whole.length === text.length;
    const isPrefix = isWanted && isLast && last.length >= SHORTEST_PREFIX && !isUnspaced(last);
    (isWanted ? all : none).push({ words, isPrefix });
  }
  return { all, none };
}

/** For the index: each term in quotes, so that nothing in it means anything to SQLite. `tags` are its own words. */
export function toExpression({ all, none }: Query, tags: readonly (readonly string[])[]): string {
  const wanted = `(words : (${all.map(quote).join(" AND ")}))`;
  const tagged = tags.map((any) => `(tags : (${any.map((tag) => `"${tag}"`).join(" OR ")}))`);
  const found = [wanted, ...tagged].join(" AND ");
  return none.length > 0 ? `(${found}) NOT (words : (${none.map(quote).join(" OR ")}))` : found;
}

function quote({ words, isPrefix }: Term): string {
  return `"${words.join(" ").replaceAll('"', '""')}"${isPrefix ? " *" : ""}`;
}
