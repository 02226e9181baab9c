// Judges what was found by its vector: how near it is for the order, and how near it is whatever its language.
import type { Bias } from "../embedder.ts";
import type { NearVector, VectorSpace } from "../vectors/vector-space.ts";
import { unbiased } from "./unbiased.ts";
import { toUnitLength } from "./vector-bytes.ts";

export interface AskedVector {
  readonly vector: Float32Array;
  readonly bias?: Bias | undefined;
}

/** For the order: what is in another language than the question is a little further away. */
export function judgeNear(space: VectorSpace, { bias }: AskedVector, near: readonly NearVector[]): NearVector[] {
  if (!bias) return [...near];
  return near.map(({ id, score }) => ({ id, score: unbiased(score, bias, () => space.crowding(id)) }));
}

/** How near these would be in the language of the question. Empty where vectors know no language. */
export function judgeMeaning(space: VectorSpace, asked: AskedVector, ids: readonly number[]): NearVector[] {
  const { language } = asked.bias ?? {};
  const meant = language && toUnitLength(asked.vector.slice().fill(0, -language.numbers));
  if (!meant) return [];
  const share = 1 / (1 + language.weight);
  const inOneLanguage = space.compare(meant, ids).map(({ id, score }) => ({
    id,
    score: score * Math.sqrt(share) + language.weight * share,
  }));
  return judgeNear(space, asked, inOneLanguage);
}
