// Finds tools by words: of their names above all, then of what is said of them. Knows no language, and needs no model.
import { wordsOf } from "@chela/sdk/base";

export interface FindableTool {
  readonly name: string;
  readonly description: string;
  /** Names of its arguments. */
  readonly arguments: readonly string[];
}

export interface WordIndex {
  /** Best first; ties in the order in which the tools were given. */
  find(query: string, limit: number): readonly number[];
}

/** How much a word counts by where it stands. */
const WEIGHTS = { name: 4, arguments: 1, description: 1.5 };
/** How fast more of the same word stops to count, and how much long texts are held against a tool. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;
const SHORTEST_PREFIX = 3;
const PREFIX_SHARE = 0.6;
const SIMILAR_SHARE = 0.35;
const SIMILAR_FROM = 0.45;

type Posting = ReadonlyArray<readonly [tool: number, weight: number]>;

export function createWordIndex(tools: readonly FindableTool[]): WordIndex {
  const postings = new Map<string, Array<[number, number]>>();
  const lengths = tools.map((tool, at) => {
    const counts = countWords(tool);
    for (const [word, weight] of counts) {
      const list = postings.get(word);
      if (list) list.push([at, weight]);
      else postings.set(word, [[at, weight]]);
    }
    return [...counts.values()].reduce((sum, weight) => sum + weight, 0);
  });
  const usual = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const words = [...postings.keys()].toSorted();
  let grams: Map<string, string[]> | undefined;

  const add = (scores: Map<number, number>, list: Posting, share: number): void => {
    const rarity = Math.log(1 + (tools.length - list.length + 0.5) / (list.length + 0.5));
    for (const [tool, weight] of list) {
      const length = 1 - LENGTH_SHARE + LENGTH_SHARE * ((lengths[tool] ?? usual) / usual);
      const score = (rarity * weight * (SATURATION + 1)) / (weight + SATURATION * length);
      scores.set(tool, (scores.get(tool) ?? 0) + score * share);
    }
  };
  return {
    find(query, limit) {
      const scores = new Map<number, number>();
      for (const word of new Set(wordsIn(query))) {
        const exact = postings.get(word);
        if (exact) add(scores, exact, 1);
        const near = beginningWith(words, word).filter((other) => other !== word);
        for (const other of near) add(scores, postings.get(other) ?? [], PREFIX_SHARE / near.length);
        if (exact || near.length > 0) continue;
        // Endings and slips: what shares most of its letters in their order.
        grams ??= gramsOf(words);
        for (const { word: other, similarity } of similarTo(word, grams))
          add(scores, postings.get(other) ?? [], SIMILAR_SHARE * similarity);
      }
      return [...scores]
        .toSorted(([a, x], [b, y]) => y - x || a - b)
        .slice(0, limit)
        .map(([tool]) => tool);
    },
  };
}

function countWords({ name, description, arguments: args }: FindableTool): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (text: string, weight: number): void => {
    for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  count(name, WEIGHTS.name);
  count(description, WEIGHTS.description);
  for (const arg of args) count(arg, WEIGHTS.arguments);
  return counts;
}

/** Names of programs are words without spaces: read_file, readFile, read-file. */
function wordsIn(text: string): string[] {
  const spaced = text.replaceAll("_", " ").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return [...wordsOf(spaced)].map(({ word }) => word);
}

/** Words that begin with this one, or with which this one begins: file and files. */
function beginningWith(words: readonly string[], word: string): string[] {
  if (word.length < SHORTEST_PREFIX) return [];
  const found: string[] = [];
  for (let at = firstAtLeast(words, word); words[at]?.startsWith(word); at += 1) found.push(words[at] ?? "");
  for (let length = SHORTEST_PREFIX; length < word.length; length += 1) {
    const shorter = word.slice(0, length);
    if (words[firstAtLeast(words, shorter)] === shorter) found.push(shorter);
  }
  return found;
}

function firstAtLeast(words: readonly string[], word: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lettersOf(word: string): Set<string> {
  const framed = ` ${word} `;
  return new Set(Array.from({ length: Math.max(0, framed.length - 2) }, (_, at) => framed.slice(at, at + 3)));
}

function gramsOf(words: readonly string[]): Map<string, string[]> {
  const grams = new Map<string, string[]>();
  for (const word of words)
    for (const gram of lettersOf(word)) {
      const list = grams.get(gram);
      if (list) list.push(word);
      else grams.set(gram, [word]);
    }
  return grams;
}

const MOST_SIMILAR = 8;

function similarTo(word: string, grams: ReadonlyMap<string, readonly string[]>) {
  const own = lettersOf(word);
  const shared = new Map<string, number>();
  for (const gram of own) for (const other of grams.get(gram) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1);
  return [...shared]
    .map(([other, count]) => ({ word: other, similarity: (2 * count) / (own.size + lettersOf(other).size) }))
    .filter(({ similarity }) => similarity >= SIMILAR_FROM)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, MOST_SIMILAR);
}
