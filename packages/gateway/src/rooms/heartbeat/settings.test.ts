// What the configuration of heartbeats means: intervals, hours, whose heart beats, and when.
import { describe, expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { isActive } from "./active-hours.ts";
import { createPulse } from "./pulse.ts";
import { readDuration } from "../../base/text/read-duration.ts";
import { beatSettings, type HeartbeatView } from "./settings.ts";
import { shortestInterval } from "./standing-tasks.ts";

const HOUR = 3_600_000;

test.for<[string, number | undefined]>([
  ["30m", HOUR / 2],
  ["1h", HOUR],
  ["1h30m", 1.5 * HOUR],
  ["90", 1.5 * HOUR],
  ["0m", 0],
  ["0.5h", HOUR / 2],
  ["45 s", 45_000],
  ["soon", undefined],
  ["", undefined],
  ["-5m", undefined],
])("the duration %j is %j milliseconds", ([written, ms]) => {
  expect(readDuration(written, "m")).toBe(ms);
});

describe("active hours", () => {
  const zoned = (start: string, end: string, timezone: string) =>
    beatSettings({ agents: { defaults: { heartbeat: { activeHours: { start, end, timezone } } } } }, "main").hours;
  test.for<[string, string, string, string, boolean]>([
    ["08:00", "22:00", "UTC", "2026-01-15T08:00Z", true],
    ["08:00", "22:00", "UTC", "2026-01-15T07:59Z", false],
    ["08:00", "22:00", "UTC", "2026-01-15T22:00Z", false],
    ["00:00", "24:00", "UTC", "2026-01-15T23:59Z", true],
    ["22:00", "06:00", "UTC", "2026-01-15T23:00Z", true],
    ["22:00", "06:00", "UTC", "2026-01-15T05:59Z", true],
    ["22:00", "06:00", "UTC", "2026-01-15T06:00Z", false],
    ["09:00", "09:00", "UTC", "2026-01-15T09:00Z", false],
    // Half an hour beside the others.
    ["09:00", "17:00", "Asia/Kolkata", "2026-01-15T03:30Z", true],
    ["09:00", "17:00", "Asia/Kolkata", "2026-01-15T03:29Z", false],
    // Clocks are put forward at 02:00 on 29 March: eight o'clock comes an hour earlier in UTC.
    ["08:00", "22:00", "Europe/Stockholm", "2026-03-28T06:30Z", false],
    ["08:00", "22:00", "Europe/Stockholm", "2026-03-29T06:30Z", true],
    // And put back at 03:00 on 25 October: between two and three the window is open twice.
    ["02:00", "03:00", "Europe/Stockholm", "2026-10-25T00:30Z", true],
    ["02:00", "03:00", "Europe/Stockholm", "2026-10-25T01:30Z", true],
    ["02:00", "03:00", "Europe/Stockholm", "2026-10-25T02:30Z", false],
  ])("%s to %s in %s: at %s it is %s", ([start, end, zone, at, active]) => {
    expect(isActive(zoned(start, end, zone), Date.parse(at))).toBe(active);
  });

  test("count by the person's time zone unless another is named", () => {
    const of = (timezone?: string) =>
      beatSettings(
        {
          agents: { defaults: { userTimezone: "Asia/Tokyo", heartbeat: { activeHours: { start: "8:00", timezone } } } },
        },
        "main",
      );
    expect(of().activeHours).toEqual({ start: "8:00", end: "24:00", timezone: "Asia/Tokyo" });
    expect(of("local").activeHours?.timezone).toBe("local");
    expect(of("UTC").activeHours?.timezone).toBe("UTC");
  });
});

describe("whose heart beats", () => {
  const view = (list: object[], heartbeat: object = {}): HeartbeatView =>
    ({ agents: { defaults: { heartbeat }, list } }) as HeartbeatView;
  test("everybody's, as the defaults say", () => {
    const config = view([{ id: "Main" }, { id: "work" }], { every: "10m", model: "a/b" });
    for (const id of ["main", "work"]) {
      expect(beatSettings(config, id)).toMatchObject({ enabled: true, every: "10m", everyMs: 600_000, model: "a/b" });
    }
  });
  test("only theirs, where some have one of their own; the defaults hold for the rest of it", () => {
    const config = view([{ id: "main" }, { id: "Work", heartbeat: { every: "5m" } }], { target: "last", every: "10m" });
    expect(beatSettings(config, "main")).toMatchObject({ enabled: false, every: "0m", everyMs: null });
    expect(beatSettings(config, "work")).toMatchObject({ enabled: true, everyMs: 300_000, target: "last" });
  });
  test("one that would beat without a pause is not taken", () => {
    const { everyMs, every, problems } = beatSettings(view([], { every: "1ms" }), "main");
    expect({ everyMs, every }).toEqual({ everyMs: HOUR / 2, every: "30m" });
    expect(problems).toEqual(['heartbeat.every is "1ms", which is too short; it is 30m now. Write 30m, 1h or 0m.']);
  });
  test("what cannot be used is named, and the usual holds", () => {
    const heartbeat = { every: "often", activeHours: { start: "25:00", end: "22:00", timezone: "Mars/Base" } };
    const { everyMs, hours, problems } = beatSettings(view([], heartbeat), "main");
    expect({ everyMs, hours }).toEqual({ everyMs: HOUR / 2, hours: { start: 0, end: 1320, zone: undefined } });
    expect(problems.map((problem) => problem.split(",")[0])).toEqual([
      'heartbeat.every is "often"',
      'heartbeat.activeHours.start is "25:00"',
      'heartbeat.activeHours.timezone is "Mars/Base"',
    ]);
  });
});

describe("the timer", () => {
  test("beats once in each interval, for each agent at a moment of its own", async () => {
    const clock = createFakeClock();
    const beats: Array<{ id: string; at: number }> = [];
    const agents = ["a", "b", "c", "d"].map((id) => ({ id, everyMs: HOUR }));
    const pulse = createPulse({
      clock,
      seed: "here",
      agents: () => [...agents, { id: "quiet", everyMs: null }],
      beat: (id) => void beats.push({ id, at: clock.now() }),
    });
    pulse.plan();
    const planned = new Map(agents.map(({ id }) => [id, pulse.nextAt(id)]));
    expect(clock.waiting).toBe(1);
    await clock.advance(24 * HOUR);
    for (const { id } of agents) {
      const at = beats.filter((beat) => beat.id === id).map((beat) => beat.at);
      expect(at).toHaveLength(24);
      expect(at[0]).toBe(planned.get(id));
      expect(new Set(at.map((one) => one % HOUR)).size).toBe(1);
    }
    expect(new Set(planned.values()).size).toBe(4);
    expect(pulse.nextAt("quiet")).toBeUndefined();
    pulse.stop();
    expect(clock.waiting).toBe(0);
  });
});

test.for<[string, number | undefined]>([
  ["- Check the calendar every 2 hours", 2 * HOUR],
  ["- look at mails every 45m\n- tidy up daily", 0.75 * HOUR],
  ["- every hour: look at the oven", HOUR],
  ["tasks:\n- name: mail\n  interval: 30m", HOUR / 2],
  ["- Water the plants", undefined],
  ["- everything is fine, everyone too", undefined],
])("%j is due every %j ms", ([text, ms]) => {
  expect(shortestInterval(text)).toBe(ms);
});
