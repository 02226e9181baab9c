// A cosine as it would be if its embedder leaned to nothing.
import type { Bias } from "../embedder.ts";

/** `crowding` tells the mean cosine of the found vector to its nearest neighbours; it is asked only when it counts. */
export function unbiased(cosine: number, bias: Bias | undefined, crowding: () => number): number {
  if (!bias) return cosine;
  const { common, crowd } = bias;
  const near = withoutCommon(cosine, common);
  if (!crowd) return near;
  return near - crowd.share * (Math.max(crowd.least, withoutCommon(crowding(), common)) - crowd.usual);
}

function withoutCommon(cosine: number, common: number): number {
  return cosine * (1 + common) - common;
}
