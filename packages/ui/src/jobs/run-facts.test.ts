// What became of runs: carried out and arrived are two things.
import { expect, it } from "vitest";
import { factsOfJob, factsOfRun, jobNeedsSomebody, outcomeOf, type JobRun } from "./run-facts.ts";

const run = (more: Partial<JobRun>): JobRun => ({
  ts: 1,
  jobId: "j",
  action: "finished",
  runId: "r",
  state: "settled",
  dueAtMs: 1,
  ...more,
});

it("tells a job that ran and was not heard from one that failed", () => {
  const state = {
    lastRunStatus: "error",
    lastErrorReason: "delivery",
    lastError: "It ran, but…",
    lastDeliveryStatus: "not-delivered",
    lastDeliveryError: "telegram is not configured",
  } as const;
  const unheard = factsOfJob({ state });
  expect(unheard).toEqual({
    executed: "ok",
    delivered: "not-delivered",
    deliveryError: "telegram is not configured",
  });
  expect(outcomeOf(unheard)).toBe("bad");
  expect(factsOfJob({ state: { lastStatus: "error", lastError: "no" } })).toEqual({ executed: "error", error: "no" });
});

it("knows jobs that run and jobs that never did", () => {
  expect(factsOfJob({ state: {} })).toEqual({ executed: "never" });
  expect(factsOfJob({ state: { runningAtMs: 1, lastRunStatus: "error" } })).toEqual({ executed: "running" });
});

it("follows a run from its beginning to its delivery", () => {
  const outcomes = [
    run({ state: "waiting" }),
    run({ state: "running" }),
    run({ state: "executed", executed: "ok" }),
    run({ status: "ok", executed: "ok", deliveryStatus: "delivered" }),
    run({ status: "error", executed: "ok", reason: "delivery", error: "x", deliveryStatus: "not-delivered" }),
    run({
      status: "skipped",
      executed: "skipped",
      skipped: { count: 2, first: 1, last: 2 },
      deliveryStatus: "not-requested",
    }),
  ].map((one) => {
    const { executed, delivered } = factsOfRun(one);
    return [executed, delivered, outcomeOf(factsOfRun(one))];
  });
  expect(outcomes).toEqual([
    ["waiting", undefined, "busy"],
    ["running", undefined, "busy"],
    ["ok", "under-way", "good"],
    ["ok", "delivered", "good"],
    ["ok", "not-delivered", "bad"],
    ["skipped", undefined, "warn"],
  ]);
});

it("does not call for somebody over a job that was switched off", () => {
  const every = { kind: "every", everyMs: 1000 } as const;
  const state = { lastRunStatus: "error" } as const;
  expect(jobNeedsSomebody({ enabled: true, schedule: every, state })).toBe(true);
  expect(jobNeedsSomebody({ enabled: false, schedule: every, state })).toBe(false);
  expect(jobNeedsSomebody({ enabled: false, schedule: { kind: "at", at: "" }, state })).toBe(true);
  expect(jobNeedsSomebody({ enabled: false, schedule: every, state: { ...state, lastErrorReason: "schedule" } })).toBe(
    true,
  );
  expect(jobNeedsSomebody({ enabled: true, schedule: every, state: { lastRunStatus: "ok" } })).toBe(false);
});
