// What is undefined is left out, everything else stays.
import { expect, expectTypeOf, test } from "vitest";
import { defined } from "./defined.ts";

test("members that are undefined are left out, in the order of the others", () => {
  const b: string | undefined = undefined;
  const found = defined({ a: 1, b, c: null, d: false, e: "" });
  expect(Object.entries(found)).toEqual([
    ["a", 1],
    ["c", null],
    ["d", false],
    ["e", ""],
  ]);
  expect("b" in found).toBe(false);
});

test("a member that may be undefined is optional, and never undefined", () => {
  const maybe = (): number | undefined => undefined;
  expectTypeOf(defined({ a: "x", b: maybe() })).toExtend<{ readonly a: string; readonly b?: number }>();
});
