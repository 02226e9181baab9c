// What happened between turns, as the next message tells it.
import { expect, it } from "vitest";
import type { Aside } from "@chela/sdk";
import { happened } from "./asides.ts";

const note = (seq: number, text: string): Aside => ({
  seq,
  sessionKey: "agent:main:main",
  kind: "note",
  key: String(seq),
  at: Date.UTC(2026, 0, 1),
  body: { text },
});

it("tells everything that happened, one line each, and nothing of what was heard", () => {
  const asides = [note(1, "one\ntwo"), { ...note(2, "hi"), kind: "heard" as const }, note(3, "three")];
  expect(happened(asides)).toEqual([
    "System: [2026-01-01 00:00:00 UTC] one two",
    "System: [2026-01-01 00:00:00 UTC] three",
  ]);
});

it("tells the newest of a flood, and how many it leaves out", () => {
  const flood = Array.from({ length: 200 }, (_, at) => note(at, `event-${at}. ${"x".repeat(8000)}`));
  const lines = happened(flood);
  expect(lines.join("\n").length).toBeLessThan(30_000);
  expect(lines.at(-1)).toContain("event-199.");
  expect(lines[0]).toContain("198 earlier events are left out");
});

it("cuts a single one that is too long", () => {
  const [line = "", ...more] = happened([note(1, "x".repeat(100_000))]);
  expect(line.length).toBeLessThan(30_000);
  expect(more).toEqual([]);
});
