import { expect, it } from "vitest";
import { growthOf } from "./growth.ts";
import type { SeenMessage } from "./transcript-messages.ts";

async function* answers(count: number): AsyncGenerator<SeenMessage> {
  for (let at = 1; at <= count; at++) {
    const spent = { provider: "p", model: "m", input: 3, output: 1, cacheRead: 2, cacheWrite: 0, tokens: 6, cost: 0.5 };
    yield { at, role: "user", text: "?", calls: [], isError: false };
    yield { at, role: "assistant", text: "!", calls: [], isError: false, spent };
  }
}

it.each([
  [0, 0],
  [1, 1],
  [200, 200],
  [201, 101],
  [12_345, 200],
])("%d answers grow in %d points, and no token is lost", async (count, most) => {
  const points = await growthOf(answers(count));
  expect(points.length).toBeLessThanOrEqual(most);
  expect(points.reduce((sum, point) => sum + point.totalTokens, 0)).toBe(count * 6);
  expect(points.reduce((sum, point) => sum + point.cost, 0)).toBe(count * 0.5);
  if (count === 0) return;
  expect(points.at(-1)).toMatchObject({ timestamp: count, cumulativeTokens: count * 6, cumulativeCost: count * 0.5 });
});
