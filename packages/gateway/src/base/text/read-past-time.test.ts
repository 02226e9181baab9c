import { expect, it } from "vitest";
import { readPastTime } from "./read-past-time.ts";

const NOW = Date.UTC(2026, 1, 26, 10);

it.each([
  ["2d", Date.UTC(2026, 1, 24, 10)],
  ["1h30m", Date.UTC(2026, 1, 26, 8, 30)],
  ["2026-01-31", Date.UTC(2026, 0, 31)],
  ["2026-01-31T18:00Z", Date.UTC(2026, 0, 31, 18)],
  ["2026-01-31T18:00+02:00", Date.UTC(2026, 0, 31, 16)],
])("reads %s", (written, expected) => {
  expect(readPastTime(written, NOW)).toBe(expected);
});

it.each(["", "yesterday", "12", "2026-13-45", "2026-01-31 or so", "31.01.2026"])("reads no time in %j", (written) => {
  expect(readPastTime(written, NOW)).toBeUndefined();
});
