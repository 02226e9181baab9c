// Rows stay where somebody reads them while the list around them changes.
import { expect, test } from "vitest";
import { movedBy } from "./stay-in-place.ts";

const seen = ["a", "b", "c"].map((key, at) => ({ key, index: 10 + at }));
const now = (rows: Readonly<Record<string, number>>) => movedBy(seen, ({ key }) => rows[key]);

test("a new row above moves them all by one", () => {
  expect(now({ a: 11, b: 12, c: 13 })).toBe(1);
});

test("one that went to the top does not take the view along", () => {
  expect(now({ a: 0, b: 11, c: 12 })).toBe(0);
  expect(now({ a: 11, b: 0, c: 12 })).toBe(0);
});

test("nothing is known of rows that are not here any more", () => {
  expect(now({})).toBe(0);
  expect(now({ c: 11 })).toBe(-1);
});
