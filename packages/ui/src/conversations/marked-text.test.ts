// Marks in a text.
import { expect, test } from "vitest";
import { splitByRanges } from "./marked-text.ts";

test("a text is split where marks begin and end", () => {
  const pieces = splitByRanges("one two three", [
    [8, 13],
    [0, 3],
  ]);
  expect(pieces).toEqual([
    { text: "one", isMarked: true },
    { text: " two ", isMarked: false },
    { text: "three", isMarked: true },
  ]);
});

test("marks that do not fit are passed over, and nothing of the text is lost", () => {
  const pieces = splitByRanges("abcdef", [
    [1, 3],
    [2, 4],
    [5, 5],
    [4, 99],
  ]);
  expect(pieces.map(({ text }) => text).join("")).toBe("abcdef");
  expect(pieces.filter(({ isMarked }) => isMarked)).toEqual([{ text: "bc", isMarked: true }]);
});
