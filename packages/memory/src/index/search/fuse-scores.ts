// One score out of two: how near a chunk is in meaning, and how much of what was asked its words have.

export interface Scores {
  /** The cosine; undefined when the chunk has no vector. */
  readonly vector?: number;
  /** The share of the query's words it has, rare ones counting most; undefined when no word matched. */
  readonly text?: number;
}

export interface Scored {
  readonly id: number;
  readonly scores: Scores;
  readonly score: number;
}

export interface Weights {
  readonly vectorWeight: number;
  readonly textWeight: number;
}

/** How words count beside a cosine. */
export interface Shape {
  /** A smaller share of the words is there by chance. */
  readonly from: number;
  /** With 0.9 and the usual weights, 0.7 and 0.3, all words count as 0.39 of a cosine. */
  readonly factor: number;
}

/** Chosen by cross-validation over sets of questions, each left out once: `npm run bench:memory -- --choose`. */
export const SHAPE: Shape = { from: 0.4, factor: 0.9 };
/** So much less than a cosine that it only tells apart what is equal otherwise. */
const CHANCE = 0.001;
/** Puts a cosine of 0.2, below which no answer was found, where the usual least score is. The order stays as it is. */
const CURVE = 2.765;

/** Between 0 and 1. What one search does not find costs nothing, and what both find comes before either. */
export function fuseScores({ vector, text }: Scores, { vectorWeight, textWeight }: Weights, shape = SHAPE): number {
  const near = clamp(vector ?? 0);
  const matched = matchOf(clamp(text ?? 0), shape);
  const [ofVector, ofText] = [Math.max(0, vectorWeight), Math.max(0, textWeight) * shape.factor];
  const heavier = Math.max(ofVector, ofText);
  if (heavier === 0) return bend(Math.max(near, matched), 1);
  return bend((ofVector * near + ofText * matched) / heavier, (ofVector + ofText) / heavier);
}

/** One word of three may be there by chance, in a note that is about something else. */
function matchOf(share: number, { from }: Shape): number {
  return CHANCE * share + (1 - CHANCE) * Math.max(0, (share - from) / (1 - from));
}

function bend(sum: number, most: number): number {
  return 1 - (1 - sum / most) ** CURVE;
}

function clamp(score: number): number {
  return Math.min(1, Math.max(0, score));
}
