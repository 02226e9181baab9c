import { describe, expect, test } from "vitest";
import { readDuration, readInstant } from "./index.ts";

const ZONE = "Europe/Stockholm";
/** A Monday, 10:20 in Stockholm. */
const NOW = Date.parse("2026-11-16T09:20:00Z");

describe("a length of time", () => {
  test.each([
    ["15m", 900],
    ["1h30m", 5400],
    ["90s", 90],
    ["2d", 172_800],
    ["1w", 604_800],
    ["PT15M", 900],
    ["P1DT2H", 93_600],
    ["1 hour and 30 minutes", 5400],
    ["1.5h", 5400],
    ["20 min", 1200],
  ])("%s is %d seconds", (text, seconds) => {
    expect(readDuration(text)).toBe(seconds * 1000);
  });

  test.each(["", "15", "0m", "-5m", "15 parsecs", "m", "PT", "soon", "1h later"])(
    '"%s" is refused with examples',
    (text) => {
      expect(() => readDuration(text)).toThrow(`"${text}" is no length of time. Allowed are forms such as 90s, 15m`);
    },
  );
});

describe("an instant, typed on a Monday at 10:20 in Stockholm", () => {
  test.each([
    ["tomorrow 9:00", "2026-11-17T08:00:00Z"],
    ["Tomorrow at 9am", "2026-11-17T08:00:00Z"],
    ["tomorrow", "2026-11-17T08:00:00Z"],
    ["today 18:30", "2026-11-16T17:30:00Z"],
    ["tonight", "2026-11-16T19:00:00Z"],
    ["monday 07:30", "2026-11-23T06:30:00Z"],
    ["monday 11:30", "2026-11-16T10:30:00Z"],
    ["next monday 11:30", "2026-11-23T10:30:00Z"],
    ["next friday 9am", "2026-11-20T08:00:00Z"],
    ["fri 12:15 pm", "2026-11-20T11:15:00Z"],
    ["on sunday, 12am", "2026-11-21T23:00:00Z"],
    ["in 20 minutes", "2026-11-16T09:40:00Z"],
    ["in an hour", "2026-11-16T10:20:00Z"],
    ["+20m", "2026-11-16T09:40:00Z"],
    ["2026-12-24 18:00", "2026-12-24T17:00:00Z"],
    ["2026-12-24T18:00:00+05:30", "2026-12-24T12:30:00Z"],
    ["noon", "2026-11-16T11:00:00Z"],
    ["midnight", "2026-11-16T23:00:00Z"],
    ["9:00", "2026-11-17T08:00:00Z"],
    ["10:30", "2026-11-16T09:30:00Z"],
    ["at 6pm", "2026-11-16T17:00:00Z"],
    ["now", "2026-11-16T09:20:00Z"],
    // Nobody types so fast that a minute does not pass.
    ["2026-11-16 10:19", "2026-11-16T09:19:00Z"],
  ])("%s is %s", (text, expected) => {
    expect(readInstant(text, NOW, ZONE)).toBe(Date.parse(expected));
  });

  test("a time on the day clocks change is that of the clock on the wall", () => {
    const saturday = Date.parse("2026-10-24T10:00:00Z");
    expect(readInstant("tomorrow 9:00", saturday, ZONE)).toBe(Date.parse("2026-10-25T08:00:00Z"));
  });

  test.each(["someday", "tomorrow 25:00", "9", "13pm", "2026-02-30 10:00", "in a while", "frday 9:00", ""])(
    '"%s" is refused with examples',
    (text) => {
      expect(() => readInstant(text, NOW, ZONE)).toThrow(
        `"${text}" is no time I can read. Allowed are forms such as tomorrow 9:00`,
      );
    },
  );

  test.each(["today 9:00", "2026-11-16 10:18", "2020-01-01"])("%s is past and refused", (text) => {
    expect(() => readInstant(text, NOW, ZONE)).toThrow("is past");
  });

  test("more than ten years ahead is refused", () => {
    expect(() => readInstant("2036-11-17", NOW, ZONE)).toThrow("more than 10 years ahead");
    expect(readInstant("2036-11-15", NOW, ZONE)).toBe(Date.parse("2036-11-14T23:00:00Z"));
  });
});
