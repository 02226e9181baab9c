// Whether a model is asked at a heartbeat.
import { describe, expect, test } from "vitest";
import { BY_TIMER, decideBeat, type BeatFacts } from "./decide.ts";
import { beatSettings } from "./settings.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const NIGHT = Date.UTC(2026, 0, 15, 23);
const hours = { start: "08:00", end: "22:00", timezone: "UTC" };
const set = (heartbeat: object) => beatSettings({ agents: { defaults: { heartbeat } } }, "main");

const facts: BeatFacts = {
  now: NOON,
  isSwitchedOn: true,
  causes: [BY_TIMER],
  settings: set({ activeHours: hours }),
  isBusy: false,
  file: "tasks",
  notes: 0,
  hasChanged: true,
  isTaskDue: false,
  canBeSeen: true,
  restsUntil: undefined,
};

describe("a model is asked", () => {
  test.for<[string, Partial<BeatFacts>]>([
    ["when the file has tasks and something changed", {}],
    ["when nothing changed, but a task of the file is due again", { hasChanged: false, isTaskDue: true }],
    ["at every beat, where somebody wants that", { hasChanged: false, settings: set({ always: true }) }],
    ["when an event waits, whatever the file says", { file: "missing", notes: 1, hasChanged: false }],
    ["when an event waits and the heart does not beat by itself", { notes: 1, settings: set({ every: "0m" }) }],
    ["at night for a reminder", { now: NIGHT, notes: 1, causes: ["cron:1"] }],
    ["at night when somebody wakes it", { now: NIGHT, notes: 1, causes: ["wake"] }],
    ["when it has rested long enough", { restsUntil: NOON }],
    ["when it would rest for days, because the clock was set back", { restsUntil: NOON + 48 * 3_600_000 }],
  ])("%s", ([, more]) => {
    expect(decideBeat({ ...facts, ...more })).toEqual({ kind: "ask" });
  });
});

describe("no model is asked", () => {
  test.for<[string, Partial<BeatFacts>, string, unknown?]>([
    ["while heartbeats are switched off", { isSwitchedOn: false, notes: 1 }, "disabled"],
    ["by an agent without a heartbeat", { settings: set({ every: "0m" }) }, "disabled"],
    ["at night", { now: NIGHT }, "quiet-hours"],
    [
      "at night for a webhook, which is told in the morning",
      { now: NIGHT, notes: 1, causes: ["hook:x"] },
      "quiet-hours",
      { afterMs: 9 * 3_600_000 },
    ],
    ["while it rests after failures", { restsUntil: NOON + 5 }, "resting"],
    ["while it rests, and what waits is looked at then", { restsUntil: NOON + 5, notes: 1 }, "resting", { afterMs: 5 }],
    ["where nothing of it may be seen", { canBeSeen: false, notes: 1 }, "alerts-disabled"],
    ["while the conversation is busy", { isBusy: true }, "requests-in-flight", "when-free"],
    ["while it is busy and an event waits", { isBusy: true, notes: 1 }, "requests-in-flight", "when-free"],
    ["without a file", { file: "missing" }, "no-heartbeat-file"],
    ["without a file, busy or not", { file: "missing", isBusy: true }, "no-heartbeat-file"],
    ["with a file that asks for nothing", { file: "empty" }, "empty-heartbeat-file"],
    [
      "with one that asks for nothing, also at every beat",
      { file: "empty", settings: set({ always: true }) },
      "empty-heartbeat-file",
    ],
    ["when nothing changed", { hasChanged: false }, "nothing-changed"],
  ])("%s", ([, more, reason, again]) => {
    expect(decideBeat({ ...facts, ...more })).toEqual({ kind: "skip", reason, ...(again ? { again } : {}) });
  });
});
