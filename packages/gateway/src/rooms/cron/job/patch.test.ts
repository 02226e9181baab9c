import type { CronJob } from "@chela/sdk";
import { expect, test } from "vitest";
import { applyPatch } from "./index.ts";

const NOW = Date.parse("2026-11-16T09:20:00Z");
const JOB: CronJob = {
  id: "job",
  name: "Meetings",
  description: "Looks at the calendar",
  enabled: true,
  schedule: { kind: "cron", expr: "0 7 * * *", tz: "Europe/Stockholm" },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "Look", model: "a/b" },
  delivery: { mode: "announce", channel: "telegram", to: "42" },
  createdAtMs: 1,
  updatedAtMs: 2,
  state: { lastRunStatus: "ok" },
};

const patched = (patch: unknown, job = JOB) => applyPatch(job, patch, { nowMs: NOW, zone: "UTC" }).job;

test.each<[object, object]>([
  [{ name: "Other" }, { name: "Other" }],
  [{ name: "One\n\u001b[2Jline" }, { name: "One [2Jline" }],
  [{ enabled: false }, { enabled: false }],
  [{ schedule: { kind: "cron", expr: "0 8 * * *" } }, { schedule: { ...JOB.schedule, expr: "0 8 * * *" } }],
  [{ schedule: { tz: "UTC" } }, { schedule: { ...JOB.schedule, tz: "UTC" } }],
  [{ schedule: "0 9 * * *" }, { schedule: { ...JOB.schedule, expr: "0 9 * * *" } }],
  [{ schedule: { kind: "cron", expr: "0 8 * * *", tz: null } }, { schedule: { kind: "cron", expr: "0 8 * * *" } }],
  [{ schedule: { kind: "every", everyMs: 60_000 } }, { schedule: { kind: "every", everyMs: 60_000, anchorMs: NOW } }],
  [{ schedule: "tomorrow 9:00" }, { schedule: { kind: "at", at: "2026-11-17T09:00:00Z" }, deleteAfterRun: true }],
  [{ payload: { kind: "agentTurn", thinking: "high" } }, { payload: { ...JOB.payload, thinking: "high" } }],
  [{ payload: { model: null } }, { payload: { kind: "agentTurn", message: "Look" } }],
  [{ message: "Look again" }, { payload: { ...JOB.payload, message: "Look again" } }],
  [
    { payload: { kind: "exec", command: "df" } },
    { payload: { kind: "exec", command: "df" }, delivery: { mode: "none" } },
  ],
  [{ delivery: { to: "43" } }, { delivery: { ...JOB.delivery, to: "43" } }],
  [{ delivery: { mode: "none" } }, { delivery: { mode: "none" } }],
  [{ payload: { deliver: false } }, { delivery: { mode: "none" } }],
])("%o changes only %o", (patch, changes) => {
  expect(patched(patch)).toEqual({ ...JOB, ...changes, updatedAtMs: NOW });
});

test.each([["description"], ["delivery"]] as const)("null clears %s", (name) => {
  const { [name]: _, ...rest } = JOB;
  expect(patched({ [name]: null })).toEqual({ ...rest, updatedAtMs: NOW });
});

test("other work moves the job where it belongs, and says so", () => {
  const { job, notes } = applyPatch(JOB, { payload: { kind: "systemEvent", text: "Up" } }, { nowMs: NOW });
  expect(job).toMatchObject({ sessionTarget: "main", payload: { kind: "systemEvent", text: "Up" } });
  expect(job.delivery).toBeUndefined();
  expect(notes).toEqual(['sessionTarget is now "main", as its payload is systemEvent']);
});

test("a job that was for once is not deleted once it is for always", () => {
  const job: CronJob = { ...JOB, schedule: { kind: "at", at: "2026-12-24T18:00:00Z" }, deleteAfterRun: true };
  expect(patched({ schedule: "every 15m" }, job).deleteAfterRun).toBeUndefined();
  expect(patched({ name: "x" }, job).deleteAfterRun).toBe(true);
});

test("what the gateway keeps cannot be changed", () => {
  expect(patched({ id: "other", createdAtMs: 9, state: { lastRunStatus: "error" } })).toEqual({
    ...JOB,
    updatedAtMs: NOW,
  });
});

test.each<[object, string]>([
  [{ sessionTarget: "main" }, "takes a payload of kind systemEvent"],
  [{ delivery: { mode: "webhook" } }, "needs an address"],
  [{ schedule: { kind: "every", everyMs: 5 } }, "must be >= 1000"],
  [{ schedule: "2020-01-01" }, "is past"],
])("%o is refused: %s", (patch, words) => {
  expect(() => patched(patch)).toThrow(words);
});
