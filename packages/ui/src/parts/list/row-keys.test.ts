// The keyboard in a long list.
import { expect, test } from "vitest";
import { nextRow } from "./row-keys.ts";

test("arrows, pages and ends stay within the list", () => {
  const go = (key: string, at: number) => nextRow(key, at, 50, 10);
  expect([go("ArrowDown", 0), go("ArrowUp", 0), go("ArrowDown", 49)]).toEqual([1, 0, 49]);
  expect([go("PageDown", 3), go("PageUp", 3), go("PageDown", 45)]).toEqual([13, 0, 49]);
  expect([go("Home", 20), go("End", 20), go("a", 20), nextRow("End", 0, 0, 10)]).toEqual([0, 49, undefined, undefined]);
});
