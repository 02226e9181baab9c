// Nobody waits for what a dead process left: the next start looks after it, and otherwise loads nothing.
import { expect, it } from "vitest";
import type { CronJob } from "@chela/sdk";
import { createMemoryLedger } from "@chela/sdk/testing";
import { needsCron } from "./is-needed.ts";

const JOB: CronJob = {
  id: "job",
  name: "job",
  enabled: false,
  schedule: { kind: "at", at: "2026-06-01T08:00:00Z" },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "look" },
  createdAtMs: 1,
  updatedAtMs: 1,
  state: {},
};
const NOWHERE = "/nowhere/jobs.json";

it.each<[string, Partial<CronJob>, boolean]>([
  ["a job that is disabled", {}, false],
  ["a job that is to come", { enabled: true, state: { nextRunAtMs: 5 } }, true],
  ["a job that was never planned", { enabled: true }, true],
  ["a job whose run got lost", { state: { runningAtMs: 5 } }, true],
])("%s: %s", async (_what, over, expected) => {
  const ledger = createMemoryLedger();
  expect(await needsCron(ledger, NOWHERE)).toBe(false);
  await ledger.commit([{ kind: "job-put", job: { ...JOB, ...over } }]);
  expect(await needsCron(ledger, NOWHERE)).toBe(expected);
});

it("an alert that was given and not delivered is to be gone on with", async () => {
  const ledger = createMemoryLedger();
  const errand = {
    runId: "cron:job:5:alert",
    kind: "cron" as const,
    owner: "job",
    agentId: "main",
    sessionKey: "agent:main:cron:job:alert",
    dueAt: 5,
    createdAt: 5,
    work: {},
  };
  await ledger.commit([{ kind: "errand-add", errand }]);
  expect(await needsCron(ledger, NOWHERE)).toBe(true);
  await ledger.commit([{ kind: "errand-state", runId: errand.runId, state: "settled", at: 6 }]);
  expect(await needsCron(ledger, NOWHERE)).toBe(false);
});
