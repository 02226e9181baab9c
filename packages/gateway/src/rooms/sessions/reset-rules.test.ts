import { describe, expect, it } from "vitest";
import { isStale, resetRuleFor, resetTypeOf, type OffsetAt, type ResetRule, type ResetView } from "./room.ts";

function offsetIn(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    return sign === "-" ? -size : size;
  };
}

const daily = (atHour = 4): ResetRule => ({ mode: "daily", atHour });
const at = (time: string) => Date.parse(time);
const ended = (zone: string, rule: ResetRule, updated: string, now: string) => {
  const stale = isStale({ updatedAt: at(updated) }, rule, at(now), offsetIn(zone));
  return stale && `${stale.why} ${new Date(stale.since).toISOString().slice(0, 16)}Z`;
};

describe("a daily new start", () => {
  it.each([
    ["UTC", 4, "2026-01-15T23:00Z", "2026-01-16T03:59Z", undefined],
    ["UTC", 4, "2026-01-15T23:00Z", "2026-01-16T04:00Z", "daily 2026-01-16T04:00Z"],
    ["UTC", 4, "2026-01-15T03:59Z", "2026-01-15T04:01Z", "daily 2026-01-15T04:00Z"],
    ["UTC", 4, "2026-01-15T04:00Z", "2026-01-16T03:59Z", undefined],
    ["UTC", 0, "2026-01-15T23:59Z", "2026-01-16T00:00Z", "daily 2026-01-16T00:00Z"],
    ["UTC", 23, "2026-01-15T22:59Z", "2026-01-15T23:00Z", "daily 2026-01-15T23:00Z"],
    ["America/New_York", 4, "2026-01-15T08:59Z", "2026-01-15T09:00Z", "daily 2026-01-15T09:00Z"],
    ["Pacific/Kiritimati", 4, "2026-01-15T13:59Z", "2026-01-15T14:00Z", "daily 2026-01-15T14:00Z"],
    ["Pacific/Pago_Pago", 4, "2026-01-15T14:59Z", "2026-01-15T15:00Z", "daily 2026-01-15T15:00Z"],
    ["Asia/Kolkata", 4, "2026-01-15T22:00Z", "2026-01-15T22:29Z", undefined],
    ["Asia/Kolkata", 4, "2026-01-15T22:00Z", "2026-01-15T22:30Z", "daily 2026-01-15T22:30Z"],
    ["Asia/Kathmandu", 4, "2026-01-15T22:00Z", "2026-01-15T22:15Z", "daily 2026-01-15T22:15Z"],
  ])("in %s at %i: %s, then %s → %s", (zone, hour, updated, now, result) => {
    expect(ended(zone, daily(hour), updated, now)).toBe(result);
  });

  it("names the first one that was passed over, however long ago", () => {
    expect(ended("UTC", daily(), "2026-01-10T12:00Z", "2026-01-16T12:00Z")).toBe("daily 2026-01-11T04:00Z");
  });

  it("goes by this machine's clock when told no other", () => {
    const evening = { updatedAt: new Date(2026, 0, 15, 23).getTime() };
    const four = new Date(2026, 0, 16, 4).getTime();
    expect(isStale(evening, daily(), four - 1)).toBeUndefined();
    expect(isStale(evening, daily(), four)).toEqual({ why: "daily", since: four });
  });
});

describe("when clocks change", () => {
  it.each([
    ["forward, before the hour", "Europe/Berlin", 4, "2026-03-28T22:00Z", "2026-03-29T01:59Z", undefined],
    ["forward", "Europe/Berlin", 4, "2026-03-28T22:00Z", "2026-03-29T02:00Z", "daily 2026-03-29T02:00Z"],
    [
      "forward, from the day after",
      "Europe/Berlin",
      4,
      "2026-03-29T02:00Z",
      "2026-03-30T02:00Z",
      "daily 2026-03-30T02:00Z",
    ],
    ["back, before the hour", "Europe/Berlin", 4, "2026-10-24T20:00Z", "2026-10-25T02:59Z", undefined],
    ["back", "Europe/Berlin", 4, "2026-10-24T20:00Z", "2026-10-25T03:00Z", "daily 2026-10-25T03:00Z"],
    ["over the hour, before", "Europe/Berlin", 2, "2026-03-28T22:00Z", "2026-03-29T00:59Z", undefined],
    ["over the hour", "Europe/Berlin", 2, "2026-03-28T22:00Z", "2026-03-29T01:00Z", "daily 2026-03-29T01:00Z"],
    [
      "so that the hour comes twice",
      "Europe/Berlin",
      2,
      "2026-10-24T20:00Z",
      "2026-10-25T00:00Z",
      "daily 2026-10-25T00:00Z",
    ],
    ["so that the hour comes twice: once", "Europe/Berlin", 2, "2026-10-25T00:30Z", "2026-10-25T01:30Z", undefined],
    [
      "and the next day is as usual",
      "Europe/Berlin",
      2,
      "2026-10-25T00:30Z",
      "2026-10-26T01:00Z",
      "daily 2026-10-26T01:00Z",
    ],
    ["in the west", "America/New_York", 4, "2026-03-08T01:00Z", "2026-03-08T08:00Z", "daily 2026-03-08T08:00Z"],
    ["in the west, before the hour", "America/New_York", 4, "2026-03-08T01:00Z", "2026-03-08T07:59Z", undefined],
    ["by half an hour", "Australia/Lord_Howe", 2, "2026-10-03T12:00Z", "2026-10-03T15:30Z", "daily 2026-10-03T15:30Z"],
    [
      "by half an hour, back",
      "Australia/Lord_Howe",
      4,
      "2026-04-04T12:00Z",
      "2026-04-04T17:30Z",
      "daily 2026-04-04T17:30Z",
    ],
    ["over midnight", "Africa/Cairo", 0, "2026-04-23T20:00Z", "2026-04-23T22:00Z", "daily 2026-04-23T22:00Z"],
    ["over midnight, before", "Africa/Cairo", 0, "2026-04-23T20:00Z", "2026-04-23T21:59Z", undefined],
  ])("%s (%s at %i): %s, then %s → %s", (_what, zone, hour, updated, now, result) => {
    expect(ended(zone, daily(hour), updated, now)).toBe(result);
  });

  it.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"])(
    "there is one new start for each day of a year in %s",
    (zone) => {
      const [offset, end] = [offsetIn(zone), at("2027-01-01T12:00Z")];
      const starts = [at("2026-01-01T12:00Z")];
      for (let day = 0; day <= 365; day += 1) {
        const stale = isStale({ updatedAt: starts.at(-1) ?? 0 }, daily(2), end, offset);
        if (stale) starts.push(stale.since);
      }
      starts.shift();
      const gaps = starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 3_600_000);
      expect(starts).toHaveLength(365);
      expect(gaps.every((hours) => hours >= 23 && hours <= 25)).toBe(true);
    },
  );
});

describe("a new start after a pause", () => {
  const idle: ResetRule = { mode: "idle", atHour: 4, idleMinutes: 60 };
  const both: ResetRule = { mode: "daily", atHour: 4, idleMinutes: 60 };
  it.each([
    ["the pause is not over", idle, "2026-01-15T12:00Z", "2026-01-15T13:00Z", undefined],
    ["the pause is over", idle, "2026-01-15T12:00Z", "2026-01-15T13:01Z", "idle 2026-01-15T13:00Z"],
    ["the hour does not matter", idle, "2026-01-15T03:50Z", "2026-01-15T04:10Z", undefined],
    ["the hour comes first", both, "2026-01-15T03:50Z", "2026-01-17T04:10Z", "daily 2026-01-15T04:00Z"],
    ["the pause comes first", both, "2026-01-15T12:00Z", "2026-01-17T04:10Z", "idle 2026-01-15T13:00Z"],
    ["neither has come", both, "2026-01-15T12:00Z", "2026-01-15T12:59Z", undefined],
    ["the clock was set back", both, "2026-01-15T12:00Z", "2026-01-14T02:00Z", undefined],
    ["the clock was set back over the hour", both, "2026-01-15T04:05Z", "2026-01-15T03:00Z", undefined],
  ])("%s", (_what, rule, updated, now, result) => {
    expect(ended("UTC", rule, updated, now)).toBe(result);
  });
});

describe("resetRuleFor", () => {
  const full: ResetView = {
    reset: { mode: "daily", atHour: 6 },
    resetByType: { dm: { idleMinutes: 30 }, group: { mode: "idle" }, thread: { atHour: 1 } },
    resetByChannel: { Discord: { mode: "idle", idleMinutes: 10_080 }, slack: {} },
  };
  it.each<[string, ResetView | undefined, { channel?: string; type: "direct" | "group" | "thread" }, ResetRule]>([
    ["nothing configured", undefined, { type: "direct" }, { mode: "daily", atHour: 4 }],
    ["an empty section", {}, { type: "group" }, { mode: "daily", atHour: 4 }],
    ["the older key", { idleMinutes: 15 }, { type: "direct" }, { mode: "idle", atHour: 4, idleMinutes: 15 }],
    [
      "the older key beside a rule for another type",
      { idleMinutes: 15, resetByType: { group: { atHour: 5 } } },
      { type: "direct" },
      { mode: "daily", atHour: 4, idleMinutes: 15 },
    ],
    [
      "the older key beside a rule",
      { idleMinutes: 15, reset: { atHour: 5 } },
      { type: "direct" },
      { mode: "daily", atHour: 5, idleMinutes: 15 },
    ],
    [
      "idle without minutes",
      { reset: { mode: "idle" } },
      { type: "direct" },
      { mode: "idle", atHour: 4, idleMinutes: 60 },
    ],
    [
      "daily with minutes",
      { reset: { idleMinutes: 90 } },
      { type: "direct" },
      { mode: "daily", atHour: 4, idleMinutes: 90 },
    ],
    ["a type under its older name", full, { type: "direct" }, { mode: "daily", atHour: 6, idleMinutes: 30 }],
    [
      "a type under both names",
      { resetByType: { dm: { atHour: 1 }, direct: { atHour: 2 } } },
      { type: "direct" },
      { mode: "daily", atHour: 2 },
    ],
    ["a type", full, { type: "group" }, { mode: "idle", atHour: 6, idleMinutes: 60 }],
    ["another type", full, { type: "thread" }, { mode: "daily", atHour: 1 }],
    [
      "a channel before a type",
      full,
      { channel: "discord", type: "group" },
      { mode: "idle", atHour: 4, idleMinutes: 10_080 },
    ],
    ["a channel that says nothing", full, { channel: "slack", type: "group" }, { mode: "daily", atHour: 4 }],
    ["a channel without a rule", full, { channel: "irc", type: "thread" }, { mode: "daily", atHour: 1 }],
  ])("%s", (_what, session, conversation, rule) => {
    expect(resetRuleFor(session, conversation)).toEqual(rule);
  });
});

describe("resetTypeOf", () => {
  it.each([
    ["agent:x:main", "direct"],
    ["agent:x:telegram:direct:5", "direct"],
    ["agent:x:telegram:group:-5", "group"],
    ["agent:x:slack:channel:c1", "group"],
    ["agent:x:slack:channel:c1:thread:1", "thread"],
    ["agent:x:telegram:group:-5:topic:7", "thread"],
    ["agent:x:main:thread:7", "thread"],
    ["global", "direct"],
  ])("of %s is %s", (key, type) => {
    expect(resetTypeOf(key)).toBe(type);
  });
});
