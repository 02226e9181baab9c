// Finds facts and episodes by their words and by meaning.
import type { FoundChunk } from "../messages.ts";
import { fuseScores, type Scores } from "../index/fuse-scores.ts";
import { wordsOf } from "../../../base/words.ts";
import type { EpisodeTable } from "./episode-table.ts";
import type { FactTable } from "./fact-table.ts";
import { readItem } from "./keys.ts";
import type { QueryVector } from "../embedder.ts";
import type { LearnedVectors } from "./learned-vectors.ts";
import { wordsToLookFor, type WordTable } from "./word-table.ts";

export interface RecallParts {
  readonly facts: FactTable;
  readonly episodes: EpisodeTable;
  readonly words: WordTable;
  readonly vectors: LearnedVectors;
}

type Found = Pick<FoundChunk, "path" | "snippet" | "sessionKey" | "entryId" | "at"> & { readonly searched: string };

/** Candidates for each result: several facts may come from one sentence. */
const CANDIDATES = 4;
const WEIGHTS = { vectorWeight: 0.7, textWeight: 0.3 };

/** The best first; a sentence comes once. */
export function recallLearned(
  parts: RecallParts,
  query: string,
  vector: QueryVector | undefined,
  limit: number,
): FoundChunk[] {
  const wanted = wordsToLookFor(query);
  const scores = new Map<number, Scores>();
  for (const { item, score } of parts.words.find(wanted, limit * CANDIDATES)) scores.set(item, { text: score });
  for (const { id, score } of vector ? parts.vectors.search(vector, limit * CANDIDATES) : []) {
    scores.set(id, { ...scores.get(id), vector: score });
  }
  const found = Array.from(scores, ([item, score]) => toChunk(parts, item, score, wanted))
    .filter((chunk) => chunk !== undefined)
    .toSorted((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0) || (a.snippet < b.snippet ? -1 : 1));
  return withoutRepeats(found).slice(0, limit);
}

function toChunk(parts: RecallParts, item: number, scores: Scores, wanted: readonly string[]): FoundChunk | undefined {
  const found = look(parts, item);
  if (!found) return undefined;
  const { searched, ...shown } = found;
  const text = scores.text === undefined ? undefined : scores.text * coverage(searched, wanted);
  const known = {
    ...(text === undefined ? {} : { text }),
    ...(scores.vector === undefined ? {} : { vector: scores.vector }),
  };
  return {
    ...shown,
    source: "sessions",
    startLine: 0,
    endLine: 0,
    score: fuseScores(known, WEIGHTS),
    ...(text === undefined ? {} : { textScore: text }),
    ...(scores.vector === undefined ? {} : { vectorScore: Math.max(0, scores.vector) }),
  };
}

function look({ facts, episodes }: RecallParts, item: number): Found | undefined {
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
