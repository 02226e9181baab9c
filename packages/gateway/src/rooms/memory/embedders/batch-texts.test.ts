// Requests are as large as a provider takes, and no larger.
import { expect, it } from "vitest";
import { batchTexts } from "./batch-texts.ts";

it.each([
  ["nothing", [], []],
  ["by count", ["a", "b", "c"], [["a", "b"], ["c"]]],
  ["by tokens", ["x".repeat(24), "y".repeat(20)], [["x".repeat(24)], ["y".repeat(20)]]],
  ["a text that is too long by itself", ["a", "x".repeat(100), "b"], [["a"], ["x".repeat(100)], ["b"]]],
  ["ideographs, each of them a token", ["東京東京東京", "京都京都京"], [["東京東京東京"], ["京都京都京"]]],
  ["texts of nothing, which providers refuse", ["", " \n"], [[".", "."]]],
  ["half a character", ["a\ud800"], [["a\ufffd"]]],
])("batches %s", (_, texts, expected) => {
  expect(batchTexts(texts, { texts: 2, tokens: 10 })).toEqual(expected);
});

it("cuts a text that no provider takes", () => {
  expect(batchTexts(["x".repeat(50_000)], { texts: 2, tokens: 10 })[0]?.[0]).toHaveLength(8000);
});
