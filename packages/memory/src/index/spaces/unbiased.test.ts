// What is taken off a cosine for what its embedder leans to.
import { expect, it } from "vitest";
import type { Bias } from "../../embedder.ts";
import { unbiased } from "./unbiased.ts";

const CROWD = { share: 0.3, usual: 0.5, least: 0.4 };

it.each<[string, Bias, number, number]>([
  ["what all have in common", { common: 0.2 }, 0.9, 0.5],
  ["as near to others as usual", { crowd: CROWD }, 0.5, 0.6],
  ["nearer to others than usual", { crowd: CROWD }, 0.9, 0.48],
  ["further from others", { crowd: CROWD }, 0.4, 0.63],
  ["far from all others", { crowd: CROWD }, 0, 0.63],
])("%s", (_what, bias, crowding, expected) => {
  expect(unbiased(0.6, bias, () => crowding)).toBeCloseTo(expected, 6);
});

it("does not look for neighbours where nobody asks for them", () => {
  const unasked = () => expect.unreachable();
  expect(unbiased(0.6, {}, unasked)).toBe(0.6);
});
