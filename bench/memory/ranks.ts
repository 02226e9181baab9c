// Counts at which place a search shows the note that answers, and what that makes of many questions.
import { summarize } from "../statistics.ts";
import type { OpenedIndex } from "./open-index.ts";
import type { Place } from "./note-files.ts";

export interface Question {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  readonly place: Place;
}

export interface Answered {
  readonly question: Question;
  /** From 1 on; undefined: not among the places that were looked at. */
  readonly rank: number | undefined;
  readonly ms: number;
}

export interface Score {
  readonly count: number;
  readonly first: number;
  readonly five: number;
  readonly reciprocal: number;
}

export async function askAll({ index }: OpenedIndex, questions: readonly Question[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const question of questions) {
    const start = performance.now();
    const { results } = await index.search({ query: question.text });
    const ms = performance.now() - start;
    const { path, line } = question.place;
    const at = results.findIndex((one) => one.path === path && one.startLine <= line && line <= one.endLine);
    answered.push({ question, rank: at < 0 ? undefined : at + 1, ms });
  }
  return answered;
}

export function scoreOf(answered: readonly Answered[]): Score {
  const ranks = answered.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY);
  const share = (most: number): number => ranks.filter((rank) => rank <= most).length / ranks.length;
  const reciprocal = ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
  return { count: ranks.length, first: share(1), five: share(5), reciprocal };
}

export function medianMs(answered: readonly Answered[]): number {
  return summarize(answered.map(({ ms }) => ms)).median;
}
