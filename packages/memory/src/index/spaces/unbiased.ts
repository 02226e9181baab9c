// A cosine as it would be if its embedder leaned to nothing.
import type { Bias } from "../../embedder.ts";

/** `crowding` tells the mean cosine of the found vector to its nearest neighbours; it is asked only when it counts. */
export function unbiased(cosine: number, { crowd, common = 0 }: Bias, crowding: () => number): number {
  const near = (cosine - common) / (1 - common);
  if (!crowd) return near;
  return near - crowd.share * (Math.max(crowd.least, crowding()) - crowd.usual);
}
