// A cosine as it would be if its embedder leaned to nothing.
import type { Bias } from "../embedder.ts";

/** `crowding` tells the mean cosine of the found vector to its nearest neighbours; it is asked only when it counts. */
export function unbiased(cosine: number, { language, crowd }: Bias, crowding: () => number): number {
  const weight = language?.weight ?? 0;
  const near = withoutCommon(cosine, weight);
  if (!crowd) return near;
  return near - crowd.share * (Math.max(crowd.least, withoutCommon(crowding(), weight)) - crowd.usual);
}

/** Two texts of one language have it in common, whatever they say. */
function withoutCommon(cosine: number, weight: number): number {
  return cosine * (1 + weight) - weight;
}
