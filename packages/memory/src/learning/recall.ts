// Finds facts and episodes by their words and by meaning.
import type { FoundChunk } from "../messages.ts";
import { fuseScores, type Scored, type Scores } from "../index/search/fuse-scores.ts";
import { defined, wordsOf } from "@chela/sdk/base";
import type { EpisodeTable } from "./tables/episode-table.ts";
import type { FactTable } from "./tables/fact-table.ts";
import { episodeItem, factItem, readItem } from "./tables/keys.ts";
import type { QueryVector } from "../embedder.ts";
import type { LearnedVectors } from "./tables/learned-vectors.ts";
import { wordsToLookFor, type WordTable } from "./tables/word-table.ts";

/** What is looked for, and how much of it. */
export interface RecallWish {
  readonly query: string;
  readonly vector?: QueryVector | undefined;
  /** Nothing else than what was said in these conversations. */
  readonly sessionKeys?: readonly string[] | undefined;
  readonly limit: number;
  /** What is below it is left out. */
  readonly minScore: number;
}

export interface RecallParts {
  readonly facts: FactTable;
  readonly episodes: EpisodeTable;
  readonly words: WordTable;
  readonly vectors: LearnedVectors;
}

type ShownChunk = Pick<FoundChunk, "path" | "snippet" | "sessionKey" | "entryId" | "at">;
type FoundMemory = ShownChunk & { readonly searched: string };

interface Recalled extends Scored {
  readonly shown: ShownChunk;
}

/** Candidates for each result: several facts may come from one sentence. */
const CANDIDATES = 4;
const WEIGHTS = { vectorWeight: 0.7, textWeight: 0.3 };

/** The best first; a sentence comes once. */
export function recallLearned(parts: RecallParts, wish: RecallWish): FoundChunk[] {
  const { vector, limit, minScore } = wish;
  const wanted = wordsToLookFor(wish.query);
  const most = limit * CANDIDATES;
  const items = wish.sessionKeys && itemsIn(parts, wish.sessionKeys);
  const scores = new Map<number, Scores>();
  for (const { item, score } of parts.words.find(wanted, most, items)) scores.set(item, { text: score });
  for (const { id, score } of vector ? parts.vectors.search(vector, most, items) : []) {
    scores.set(id, { ...scores.get(id), vector: score });
  }
  const recalled = Array.from(scores, ([id, score]) => weigh(parts, id, score, wanted));
  const enough = recalled.filter((one) => one !== undefined).filter(({ score }) => score >= minScore);
  const found = enough
    .map(toChunk)
    .toSorted((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0) || (a.snippet < b.snippet ? -1 : 1));
  return withoutRepeats(found).slice(0, limit);
}

function itemsIn({ facts, episodes }: RecallParts, sessionKeys: readonly string[]): Set<number> {
  return new Set([...facts.numbersIn(sessionKeys).map(factItem), ...episodes.numbersIn(sessionKeys).map(episodeItem)]);
}

function weigh(parts: RecallParts, id: number, known: Scores, wanted: readonly string[]): Recalled | undefined {
  const found = look(parts, id);
  if (!found) return undefined;
  const { searched, ...shown } = found;
  const scores = known.text === undefined ? known : { ...known, text: known.text * coverage(searched, wanted) };
  return { id, scores, score: fuseScores(scores, WEIGHTS), shown };
}

function toChunk({ shown, score, scores: { text, vector } }: Recalled): FoundChunk {
  return {
    ...shown,
    source: "sessions",
    startLine: 0,
    endLine: 0,
    score,
    ...defined({ textScore: text }),
    ...(vector === undefined ? {} : { vectorScore: Math.max(0, vector) }),
  };
}

function look({ facts, episodes }: RecallParts, item: number): FoundMemory | undefined {
  const { kind, number } = readItem(item);
  if (kind === "fact") {
    const row = facts.byNumber(number);
    if (!row) return undefined;
    const { sessionId, sessionKey, entryId, at, text, subject, value } = row;
    return { path: pathOf(sessionId), snippet: text, sessionKey, entryId, at, searched: `${subject} ${value} ${text}` };
  }
  const row = episodes.byNumber(number);
  if (!row || row.summary === "") return undefined;
  const { sessionId, sessionKey, startEntryId: entryId, endedAt: at, summary } = row;
  const searched = row.tellings.map(({ text }) => text).join(" ");
  return { path: pathOf(sessionId), snippet: summary, sessionKey, entryId, at, searched };
}

function pathOf(sessionId: string): string {
  return `sessions/${sessionId}.jsonl`;
}

/** The best match of a query may still be a poor one: one word of many. */
function coverage(text: string, wanted: readonly string[]): number {
  if (wanted.length === 0) return 1;
  const words = ` ${Array.from(wordsOf(text), ({ word }) => word).join(" ")} `;
  return wanted.filter((word) => words.includes(` ${word} `)).length / wanted.length;
}

/** A summary that repeats a sentence that was found says nothing new. */
function withoutRepeats(found: readonly FoundChunk[]): FoundChunk[] {
  const kept: FoundChunk[] = [];
  for (const chunk of found) {
    if (!kept.some(({ snippet, path }) => path === chunk.path && chunk.snippet.includes(snippet))) kept.push(chunk);
  }
  return kept;
}
