// Texts that are nested too deeply are known before anybody parses them.
import { describe, expect, it } from "vitest";
import { isTooDeep, MAX_JSON_DEPTH } from "./json-depth.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("a JSON text", () => {
  it("may be nested as deep as anybody means it, and no deeper", () => {
    expect(isTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(isTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true);
    expect(isTooDeep('{"a":'.repeat(100_000))).toBe(true);
    expect(isTooDeep(`[${"[],".repeat(1000)}[]]`, 2)).toBe(false);
    expect(isTooDeep("[[[]]]", 2)).toBe(true);
  });

  it.each([
    ['["[[[["]', false],
    [String.raw`["\"[[[["]`, false],
    [String.raw`["\\",[[]]]`, true],
    [String.raw`["\\\"",[]]`, false],
    [String.raw`["\\\\",[[]]]`, true],
    ['["never ended [[[', false],
    ["", false],
  ])("%s counts what stands outside of strings: %s", (text, expected) => {
    expect(isTooDeep(text, 2)).toBe(expected);
  });
});
