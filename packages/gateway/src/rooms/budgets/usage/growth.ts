// Growth of a conversation's tokens and cost, in at most two hundred points.
import type { SeenMessage } from "./transcript-messages.ts";

const MOST_POINTS = 200;

type GrowthPoint = {
  readonly timestamp: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  readonly cost: number;
  readonly cumulativeTokens: number;
  readonly cumulativeCost: number;
};

export async function growthOf(messages: AsyncIterable<SeenMessage>): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  let [cumulativeTokens, cumulativeCost] = [0, 0];
  for await (const { at, spent } of messages) {
    if (!spent) continue;
    const { input, output, cacheRead, cacheWrite, tokens, cost } = spent;
    cumulativeTokens += tokens;
    cumulativeCost += cost;
    const used = { input, output, cacheRead, cacheWrite, totalTokens: tokens, cost };
    points.push({ timestamp: at, ...used, cumulativeTokens, cumulativeCost });
  }
  return joinNeighbours(points, Math.ceil(points.length / MOST_POINTS));
}

/** Neighbours become one point, so that the sums stay what they are. */
function joinNeighbours(points: readonly GrowthPoint[], size: number): GrowthPoint[] {
  if (size <= 1) return [...points];
  const joined: GrowthPoint[] = [];
  for (let start = 0; start < points.length; start += size) {
    const some = points.slice(start, start + size);
    const last = some.at(-1);
    const sum = (field: keyof GrowthPoint): number => some.reduce((total, point) => total + point[field], 0);
    if (!last) break;
    joined.push({
      ...last,
      input: sum("input"),
      output: sum("output"),
      cacheRead: sum("cacheRead"),
      cacheWrite: sum("cacheWrite"),
      totalTokens: sum("totalTokens"),
      cost: sum("cost"),
    });
  }
  return joined;
}
