// Wall clock times around the changes of clocks.
import { expect, it } from "vitest";
import { allZones, instantOf, wallOf } from "./zone-time.ts";

const iso = (wall: string, zone: string): string => new Date(instantOf(wall, zone) ?? 0).toISOString();

it.each([
  ["2026-11-17T09:00", "Europe/Stockholm", "2026-11-17T08:00:00.000Z"],
  ["2026-07-17T09:00", "Europe/Stockholm", "2026-07-17T07:00:00.000Z"],
  ["2026-07-17T09:00", "Asia/Kathmandu", "2026-07-17T03:15:00.000Z"],
  ["2026-01-01T00:00", "UTC", "2026-01-01T00:00:00.000Z"],
  ["2026-11-17T09:00", "America/Los_Angeles", "2026-11-17T17:00:00.000Z"],
])("finds the instant of %s in %s", (wall, zone, expected) => {
  expect(iso(wall, zone)).toBe(expected);
  expect(wallOf(Date.parse(expected), zone)).toBe(wall);
});

it("takes the time after an hour that is skipped, and the first of one that comes twice", () => {
  expect(iso("2026-03-29T02:30", "Europe/Stockholm")).toBe("2026-03-29T01:30:00.000Z");
  expect(iso("2026-10-25T02:30", "Europe/Stockholm")).toBe("2026-10-25T00:30:00.000Z");
  expect(iso("2026-03-08T02:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
});

it("finds nothing in what is no time", () => {
  for (const text of ["", "tomorrow", "2026-13-01T00:00", "2026-01-01"]) expect(instantOf(text, "UTC")).toBeUndefined();
});

it("offers UTC, and every zone once", () => {
  const zones = allZones();
  expect(zones).toContain("UTC");
  expect(new Set(zones).size).toBe(zones.length);
});
