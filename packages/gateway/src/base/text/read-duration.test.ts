// How long something takes, in the forms settings have; and texts that are none, however long they are.
import { expect, test } from "vitest";
import { readDuration } from "./read-duration.ts";

test.each([
  ["30m", 1_800_000],
  ["1h30m", 5_400_000],
  [" 1h 30 m ", 5_400_000],
  ["90", 5_400_000],
  [90, 5_400_000],
  ["1.5h", 5_400_000],
  ["500MS", 500],
  ["2 3", 300_000],
  ["0", 0],
] as const)("%j takes %d milliseconds", (written, expected) => {
  expect(readDuration(written, "m")).toBe(expected);
});

test.each(["", " ", "soon", "1x", "m", "-5m", "1.m", "1..5h", "5m later", "later 5m", true, null, undefined])(
  "%j is no duration",
  (written) => {
    expect(readDuration(written, "m")).toBeUndefined();
  },
);

test.each([["0"], ["1 "], ["1.5"], [" "], ["1m"]])(
  "S-31: %j many times and then something else is no duration",
  (piece) => {
    expect(readDuration(`${piece.repeat(50_000)}!`, "m")).toBeUndefined();
  },
);
