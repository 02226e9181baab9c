// Leaves out what is not near enough to what was asked.
import type { NearVector } from "../vectors/vector-space.ts";
import { fuseScores, type Scores, type Weights } from "./fuse-scores.ts";

export interface Scored {
  readonly id: number;
  readonly scores: Scores;
  readonly score: number;
}

export interface Limit {
  readonly minScore: number;
  readonly weights: Weights;
  /** How near these are, whatever their language. */
  judgeMeaning(ids: readonly number[]): readonly NearVector[];
}

/** Another language than that of the question changes the order only: those below the limit have a second chance. */
export function nearEnough<One extends Scored>(
  found: readonly One[],
  { minScore, weights, judgeMeaning }: Limit,
): One[] {
  const below = found.filter(({ score }) => score < minScore).map(({ id }) => id);
  const meanings = new Map(below.length === 0 ? [] : judgeMeaning(below).map(({ id, score }) => [id, score]));
  return found.filter(({ id, scores, score }) => {
    const vector = meanings.get(id);
    return score >= minScore || (vector !== undefined && fuseScores({ ...scores, vector }, weights) >= minScore);
  });
}
