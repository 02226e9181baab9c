// Judges what was found by its vector: how near it really is.
import type { Bias } from "../../embedder.ts";
import type { NearVector, VectorSpace } from "../../vectors/vector-space.ts";
import { unbiased } from "./unbiased.ts";

export function judgeNear(space: VectorSpace, bias: Bias | undefined, near: readonly NearVector[]): NearVector[] {
  if (!bias) return [...near];
  return near.map(({ id, score }) => ({ id, score: unbiased(score, bias, () => space.crowding(id)) }));
}
