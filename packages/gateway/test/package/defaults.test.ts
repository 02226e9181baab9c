// The defaults that the reference shows are those the rooms act on.
import { expect, test } from "vitest";
import { contextSettings } from "../../src/rooms/agent/room.ts";
import { presetAt } from "../../src/rooms/config/room.ts";
import { FILE_LIMITS } from "../../src/rooms/workspace/room.ts";

const shown = (key: string): unknown => presetAt(key.split("."));

test.each([
  ["agents.defaults.bootstrapMaxChars", FILE_LIMITS.perFile],
  ["agents.defaults.bootstrapTotalMaxChars", FILE_LIMITS.total],
])("%s is %j", (key, value) => expect(shown(key)).toBe(value));

test("those of the context", () => {
  const { pruning, compaction, memoryFlush } = contextSettings({});
  const known = { contextPruning: pruning, compaction: { ...compaction, memoryFlush } };
  const leaves = leavesOf(known, "agents.defaults").filter(([key]) => shown(key) !== undefined);
  expect(leaves.length).toBeGreaterThan(8);
  for (const [key, value] of leaves) expect([key, shown(key)]).toEqual([key, value]);
});

function leavesOf(value: unknown, path: string): Array<[key: string, value: unknown]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`));
}
