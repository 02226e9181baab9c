// The outline of what a session used.
import { expect, test } from "vitest";
import { outlineOf } from "./growth.ts";

test("it rises in steps from the first point to the last", () => {
  const points = [
    { at: 1000, value: 10 },
    { at: 1500, value: 20 },
    { at: 2000, value: 40 },
  ];
  expect(outlineOf(points, 100, 40)).toEqual({
    line: "M0 30H50V20H100V0",
    area: "M0 30H50V20H100V0V40H0Z",
  });
});

test("a single point, no time and nothing used are nothing to draw", () => {
  expect(outlineOf([{ at: 1, value: 1 }], 100, 40)).toBeUndefined();
  expect(
    outlineOf(
      [
        { at: 1, value: 1 },
        { at: 1, value: 2 },
      ],
      100,
      40,
    ),
  ).toBeUndefined();
  expect(
    outlineOf(
      [
        { at: 1, value: 0 },
        { at: 2, value: 0 },
      ],
      100,
      40,
    ),
  ).toBeUndefined();
});
