// Time that is left, as people read it.
import { expect, it } from "vitest";
import { countdown } from "./countdown.ts";

it.each([
  [102_000, "1:42"],
  [101_001, "1:42"],
  [60_000, "1:00"],
  [9_000, "0:09"],
  [0, "0:00"],
  [-5_000, "0:00"],
])("%i ms are %s", (ms, shown) => {
  expect(countdown(ms)).toBe(shown);
});
