// One score out of two: how near a chunk is in meaning, and how much of what was asked its words have.

export interface Scores {
  /** The cosine; undefined when the chunk has no vector. */
  readonly vector?: number;
  /** The share of the query's words it has, rare ones counting most; undefined when no word matched. */
  readonly text?: number;
}

export interface Weights {
  readonly vectorWeight: number;
  readonly textWeight: number;
}

/** With the usual weights, 0.7 and 0.3, all words count as 0.6 of a cosine. */
const TEXT_FACTOR = 1.4;
/**
 * A chunk that has one of five words has them by chance; one that has four is meant. Measured on questions in other
 * words and on key words: from 0.4 to 0.8 of a cosine it finds the same, as a plain share does not.
 */
const TEXT_POWER = 3;
/** Puts the usual cosine of a question and its answer, 0.3 to 0.5, into the middle, and leaves the order as it is. */
const CURVE = 2.5;

/** Between 0 and 1. What one search does not find costs nothing, and what both find comes before either. */
export function fuseScores({ vector, text }: Scores, { vectorWeight, textWeight }: Weights): number {
  const near = clamp(vector ?? 0);
  const matched = clamp(text ?? 0) ** TEXT_POWER;
  const [ofVector, ofText] = [Math.max(0, vectorWeight), Math.max(0, textWeight) * TEXT_FACTOR];
  const heavier = Math.max(ofVector, ofText);
  if (heavier === 0) return bend(Math.max(near, matched), 1);
  return bend((ofVector * near + ofText * matched) / heavier, (ofVector + ofText) / heavier);
}

function bend(sum: number, most: number): number {
  return 1 - (1 - sum / most) ** CURVE;
}

function clamp(score: number): number {
  return Math.min(1, Math.max(0, score));
}
