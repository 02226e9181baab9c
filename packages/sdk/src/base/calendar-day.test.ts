import { afterEach, expect, it } from "vitest";
import { dayWriter } from "./calendar-day.ts";

const LATE = Date.UTC(2026, 2, 4, 23, 30);
const [zone, calendars] = [process.env["TZ"], Intl.DateTimeFormat];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
  Intl.DateTimeFormat = calendars;
});

it.each([
  ["UTC", "2026-03-04"],
  ["Europe/Berlin", "2026-03-05"],
  ["America/Lima", "2026-03-04"],
])("is that of the named zone: %s", (name, day) => {
  expect(dayWriter(name)(LATE)).toBe(day);
});

it.each([
  ["UTC", "2026-03-04"],
  ["Europe/Berlin", "2026-03-05"],
])("is that of this machine when none is named, without calendars: %s", (name, day) => {
  process.env["TZ"] = name;
  Intl.DateTimeFormat = undefined as never;
  expect(dayWriter()(LATE)).toBe(day);
});
