import { describe, expect, test } from "vitest";
import { EVERYTHING, isNarrow, questionOf, readFilter, writeFilter } from "./filter.ts";

const NOW = Date.UTC(2026, 0, 15, 12);

describe("the filter in the address", () => {
  test.each([
    [{}, {}],
    [
      { action: "tool", outcome: "bad", session: "agent:main:main", text: "rm" },
      { action: "tool", outcome: "bad", session: "agent:main:main", text: "rm" },
    ],
    [{ action: "constructor", outcome: "toString", span: "valueOf", event: "7" }, {}],
    [{ span: "day", from: "2026-01-01T00:00" }, { span: "day" }],
    [
      { span: "own", from: "2026-01-01T00:00", to: "soon" },
      { span: "own", from: "2026-01-01T00:00" },
    ],
  ])("%j is kept as far as it means something", (query, kept) => {
    expect(writeFilter(readFilter(query))).toEqual(kept);
  });

  test("says whether it leaves anything out", () => {
    expect(isNarrow(EVERYTHING)).toBe(false);
    expect(isNarrow({ ...EVERYTHING, text: "  " })).toBe(false);
    expect(isNarrow({ ...EVERYTHING, trace: "r1" })).toBe(true);
  });
});

describe("the question to the gateway", () => {
  test("asks for everything when nothing is chosen", () => {
    expect(questionOf(EVERYTHING, NOW)).toEqual({});
  });

  test("takes what stands out together", () => {
    expect(questionOf({ ...EVERYTHING, outcome: "bad" }, NOW)).toEqual({ outcomes: ["denied", "failed"] });
  });

  test("reaches back from now", () => {
    expect(questionOf({ ...EVERYTHING, span: "hour" }, NOW)).toEqual({ from: NOW - 3_600_000 });
  });

  test("holds the whole of the last minute", () => {
    const filter = { ...EVERYTHING, span: "own", from: "2026-01-15T10:00", to: "2026-01-15T10:00" } as const;
    const { from = 0, to = 0 } = questionOf(filter, NOW);
    expect(from).toBe(new Date("2026-01-15T10:00").getTime());
    expect(to - from).toBe(60_000);
  });
});
