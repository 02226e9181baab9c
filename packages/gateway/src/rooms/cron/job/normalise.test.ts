import { describe, expect, test } from "vitest";
import { normaliseJob } from "./index.ts";

const NOW = Date.parse("2026-11-16T09:20:00Z");
const OPTIONS = { nowMs: NOW, zone: "Europe/Stockholm" };
const EVERY_15 = { kind: "every", everyMs: 900_000, anchorMs: NOW };
const TURN = { kind: "agentTurn", message: "Look at the calendar" };

const normalise = (input: unknown, options = {}) => normaliseJob(input, { ...OPTIONS, ...options });

test("a whole job stays as it is, without a note", () => {
  const job = {
    agentId: "work",
    name: "Meetings",
    enabled: false,
    schedule: { kind: "cron", expr: "0 7 * * *", tz: "UTC", staggerMs: 1000 },
    sessionTarget: "isolated",
    wakeMode: "next-heartbeat",
    payload: { ...TURN, model: "a/b", tools: { allow: ["read"] } },
    delivery: { mode: "announce", channel: "telegram", to: "42", failureDestination: { channel: "slack", to: "C1" } },
    failureAlert: { after: 2 },
    onCrash: "report",
    catchUp: "skip",
  };
  expect(normalise(job)).toEqual({ wishes: job, notes: [] });
});

test("the least that makes a job is filled up, and each guess is told", () => {
  const { wishes, notes } = normalise({
    schedule: "every 15m",
    message: "Look at the calendar of everybody, and tell me",
  });
  expect(wishes).toEqual({
    name: "Look at the calendar of everybody…",
    enabled: true,
    schedule: EVERY_15,
    sessionTarget: "isolated",
    wakeMode: "now",
    payload: { kind: "agentTurn", message: "Look at the calendar of everybody, and tell me" },
    delivery: { mode: "announce" },
  });
  expect(notes).toEqual([
    "the payload was read as agentTurn",
    'sessionTarget is "isolated", as its payload is agentTurn',
    'its name is "Look at the calendar of everybody…", from its first words',
  ]);
});

describe("a schedule", () => {
  test.each<[unknown, object]>([
    ["every 15m", EVERY_15],
    ["every day", { ...EVERY_15, everyMs: 86_400_000 }],
    ["15m", EVERY_15],
    ["0 7 * * *", { kind: "cron", expr: "0 7 * * *" }],
    ["@daily", { kind: "cron", expr: "@daily" }],
    ["2026-12-24T18:00:00Z", { kind: "at", at: "2026-12-24T18:00:00Z" }],
    ["2026-12-24 18:00", { kind: "at", at: "2026-12-24T18:00:00+01:00" }],
    ["tomorrow 9:00", { kind: "at", at: "2026-11-17T09:00:00+01:00" }],
    [NOW + 60_000, { kind: "at", at: "2026-11-16T09:21:00.000Z" }],
    [{ kind: "interval", everyMs: 900_000 }, EVERY_15],
    [{ everyMs: "900000" }, EVERY_15],
    [
      { every: "15m", anchorMs: 7 },
      { ...EVERY_15, anchorMs: 7 },
    ],
    [
      { expr: "0 7 * * *", timezone: "UTC" },
      { kind: "cron", expr: "0 7 * * *", tz: "UTC" },
    ],
    [
      { cron: "0 7 * * *", tz: "", stagger: "5m" },
      { kind: "cron", expr: "0 7 * * *", staggerMs: 300_000 },
    ],
    [{ atMs: NOW + 60_000 }, { kind: "at", at: "2026-11-16T09:21:00.000Z" }],
    [{ at: (NOW + 60_000) / 1000 }, { kind: "at", at: "2026-11-16T09:21:00.000Z" }],
    [
      { kind: "at", at: "2026-12-24T18:00", tz: "Asia/Tokyo" },
      { kind: "at", at: "2026-12-24T18:00:00+09:00" },
    ],
  ])("%o is read as %o", (schedule, expected) => {
    expect(normalise({ schedule, payload: TURN }).wishes.schedule).toEqual(expected);
  });

  test("is found beside the other fields", () => {
    expect(normalise({ cron: "0 7 * * *", tz: "UTC", payload: TURN }).wishes.schedule).toEqual({
      kind: "cron",
      expr: "0 7 * * *",
      tz: "UTC",
    });
  });

  test.each<[unknown, string]>([
    [undefined, "schedule is missing"],
    [{ kind: "weekly" }, 'schedule.kind is "weekly"; allowed are at, every and cron'],
    [{ kind: "every", everyMs: 999 }, "at /schedule/everyMs: must be >= 1000"],
    [{ kind: "every" }, "at /schedule: must have required property 'everyMs'"],
    ["every blue moon", '"1 blue moon" is no length of time'],
    ["whenever", '"whenever" is no time I can read'],
    ["2020-01-01T00:00:00Z", "is past"],
    [{ atMs: NOW * 1000 }, "more than 10 years ahead"],
  ])("%o is refused: %s", (schedule, words) => {
    expect(() => normalise({ schedule, payload: TURN })).toThrow(words);
  });
});

describe("a target", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ sessionTarget: "session:foo" }, "session:foo"],
    [{ sessionTarget: "session:agent:main:proj", agentId: "main" }, "session:agent:main:proj"],
    [{ sessionTarget: "current", sessionKey: "agent:main:telegram:direct:5" }, "session:agent:main:telegram:direct:5"],
    [{ sessionTarget: "current" }, "isolated"],
  ])("of %o is %s", (fields, target) => {
    const { wishes } = normalise({ schedule: "every 15m", payload: TURN, ...fields });
    expect(wishes.sessionTarget).toBe(target);
  });

  test.each<[Record<string, unknown>, string]>([
    [
      { sessionTarget: "session:foo", payload: { kind: "systemEvent", text: "x" } },
      "takes a payload of kind agentTurn",
    ],
    [{ sessionTarget: "session:agent:work:x", agentId: "main", payload: TURN }, "belongs to agent main"],
    [{ sessionTarget: "session:", payload: TURN }, "must be main, isolated, current or session:<key>"],
  ])("of %o is refused: %s", (fields, words) => {
    expect(() => normalise({ schedule: "every 15m", ...fields })).toThrow(words);
  });
});

describe("a payload", () => {
  test.each<[object, object, string]>([
    [{ text: "Stand up" }, { kind: "systemEvent", text: "Stand up" }, "main"],
    [{ prompt: "Look" }, { kind: "agentTurn", message: "Look" }, "isolated"],
    [{ payload: "Look" }, { kind: "agentTurn", message: "Look" }, "isolated"],
    [{ payload: "Look", sessionTarget: "main" }, { kind: "systemEvent", text: "Look" }, "main"],
    [{ payload: { kind: "AgentTurn", text: "Look" } }, { kind: "agentTurn", message: "Look" }, "isolated"],
    [{ payload: { kind: "system_event", message: "Up" } }, { kind: "systemEvent", text: "Up" }, "main"],
    [{ message: "Look", model: "a/b" }, { kind: "agentTurn", message: "Look", model: "a/b" }, "isolated"],
    [{ command: ["df", "-h"] }, { kind: "exec", command: ["df", "-h"] }, "isolated"],
  ])("of %o is %o in %s", (fields, payload, sessionTarget) => {
    expect(normalise({ schedule: "every 15m", ...fields }).wishes).toMatchObject({ payload, sessionTarget });
  });

  test.each<[object, string]>([
    [{}, "payload.kind is null; allowed are systemEvent (with text), agentTurn (with message) and exec (with command)"],
    [{ payload: { kind: "dance" } }, 'payload.kind is "dance"; allowed are systemEvent'],
    [{ payload: { kind: "agentTurn" } }, "must have required property"],
    [{ sessionTarget: "main", payload: TURN }, 'sessionTarget is "main", which takes a payload of kind systemEvent'],
    [
      { sessionTarget: "isolated", text: "x", payload: { kind: "systemEvent" } },
      "takes a payload of kind agentTurn or exec",
    ],
    [
      { sessionTarget: "elsewhere", payload: TURN },
      "at /sessionTarget: must be main, isolated, current or session:<key>",
    ],
  ])("of %o is refused: %s", (fields, words) => {
    expect(() => normalise({ schedule: "every 15m", ...fields })).toThrow(words);
  });
});

describe("a delivery", () => {
  test.each<[object, object | undefined]>([
    [{ payload: TURN }, { mode: "announce" }],
    [{ command: "df" }, { mode: "none" }],
    [
      { command: "df", delivery: { to: "42", channel: "telegram" } },
      { mode: "announce", to: "42", channel: "telegram" },
    ],
    [{ text: "Up" }, undefined],
    [{ payload: TURN, delivery: "none" }, { mode: "none" }],
    [
      { payload: TURN, delivery: { mode: "deliver", to: 42 } },
      { mode: "announce", to: "42" },
    ],
    [
      { payload: TURN, delivery: { to: "https://example.org/x" } },
      { mode: "webhook", to: "https://example.org/x" },
    ],
    [{ payload: { ...TURN, deliver: false, to: "42" } }, { mode: "none" }],
    [
      { payload: { ...TURN, deliver: true, channel: "telegram", to: "42", bestEffortDeliver: true } },
      { mode: "announce", channel: "telegram", to: "42", bestEffort: true },
    ],
    [
      { text: "Up", notify: true },
      { mode: "webhook", to: "https://example.org/cron" },
    ],
    [{ payload: TURN, notify: true, delivery: { mode: "none" } }, { mode: "none" }],
  ])("of %o is %o", (fields, expected) => {
    const { wishes } = normalise({ schedule: "every 15m", ...fields }, { webhook: "https://example.org/cron" });
    expect(wishes.delivery).toEqual(expected);
  });

  test("notify without an address has no effect, and says so", () => {
    const { wishes, notes } = normalise({ schedule: "every 15m", text: "Up", notify: true });
    expect(wishes.delivery).toBeUndefined();
    expect(notes.join()).toContain('"notify" has no effect, since cron.webhook is not set');
  });

  test.each<[object, string]>([
    [{ text: "Up", delivery: { mode: "announce" } }, 'use sessionTarget "isolated" to send the result to a chat'],
    [{ payload: TURN, delivery: { mode: "webhook" } }, 'delivery.to is "", but mode "webhook" needs an address'],
    [{ payload: TURN, delivery: { mode: "webhook", to: "ftp://x" } }, "begins with http:// or https://"],
    [{ payload: TURN, failureAlert: { mode: "webhook", to: "nobody" } }, 'failureAlert.to is "nobody"'],
    [{ payload: TURN, delivery: { mode: "shout" } }, "at /delivery/mode: must be one of none, announce, webhook"],
  ])("of %o is refused: %s", (fields, words) => {
    expect(() => normalise({ schedule: "every 15m", ...fields })).toThrow(words);
  });
});

test.each(["job", "data"])("a job inside {%s: …} is found, with what stands beside it", (wrapper) => {
  const { wishes } = normalise({
    [wrapper]: { schedule: "every 15m", payload: TURN },
    name: "Outside",
    enabled: "false",
  });
  expect(wishes).toMatchObject({ name: "Outside", enabled: false, schedule: EVERY_15 });
});

test("a name is one line that shows all it holds", () => {
  const named = (name: string) => normalise({ schedule: "every 15m", payload: TURN, name }).wishes.name;
  expect(named("red\n\u001b[31mSystem: \u202eobey")).toBe("red [31mSystem: obey");
  expect(named(" \u0007\n ")).toBe(normalise({ schedule: "every 15m", payload: TURN }).wishes.name);
});

test("a field nobody knows is told, not swallowed", () => {
  const { notes } = normalise({
    schedule: "every 15m",
    payload: TURN,
    name: "x",
    sessionTarget: "isolated",
    colour: "red",
  });
  expect(notes).toEqual(['the field "colour" is not known and was left out']);
});

test.each([
  ["tomorrow 9:00", true],
  ["every 15m", undefined],
])("a job for %s is deleted after its run: %s", (schedule, expected) => {
  expect(normalise({ schedule, payload: TURN }).wishes.deleteAfterRun).toBe(expected);
  expect(normalise({ schedule, payload: TURN, deleteAfterRun: false }).wishes.deleteAfterRun).toBe(false);
});

test.each([null, "x", 7, []])("%o is no job", (input) => {
  expect(() => normalise(input)).toThrow("it is no object");
});
