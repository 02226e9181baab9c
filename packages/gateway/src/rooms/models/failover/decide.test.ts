// What follows on which failure: the table, case by case.
import type { ModelFailureReason } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { decide, FAILOVER_TABLE, type Action, type FailoverState } from "./decide.ts";

const FRESH: FailoverState = {
  attempts: 1,
  retries: 0,
  profilesLeft: 1,
  modelsLeft: 1,
  largerModelsLeft: 0,
  refusals: 0,
  compactions: 0,
  waits: 0,
  restingLeft: 0,
  pauseMs: undefined,
  shareMs: 60_000,
  remainingMs: 120_000,
  jitter: 0.5,
};
const ALONE = { profilesLeft: 0, modelsLeft: 0 };

function after(reason: ModelFailureReason, state: Partial<FailoverState> = {}, retryAfterMs?: number): Action {
  const failure = { reason, message: "x", retry: "later" as const };
  const given = retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
  return decide(FAILOVER_TABLE, { ...FRESH, ...state }, given);
}

describe("after a failure", () => {
  it.for<[ModelFailureReason, Partial<FailoverState>, Action["kind"]]>([
    ["auth", {}, "next-profile"],
    ["auth", { ...ALONE, restingLeft: 1 }, "try-resting"],
    ["rate-limit", { ...ALONE, restingLeft: 1, pauseMs: 25_000 }, "wait"],
    ["rate-limit", { ...ALONE, restingLeft: 1, pauseMs: 31_000 }, "try-resting"],
    ["auth", { profilesLeft: 0 }, "next-model"],
    ["auth", ALONE, "give-up"],
    ["billing", {}, "next-profile"],
    ["billing", ALONE, "give-up"],
    ["rate-limit", {}, "next-profile"],
    ["rate-limit", { profilesLeft: 0, pauseMs: 1_000 }, "next-model"],
    ["rate-limit", { ...ALONE, pauseMs: 1_000 }, "wait"],
    ["rate-limit", { ...ALONE, pauseMs: 30_001 }, "give-up"],
    ["rate-limit", { ...ALONE, pauseMs: 5_000, remainingMs: 4_000 }, "give-up"],
    ["rate-limit", { ...ALONE, pauseMs: 1_000, waits: 2 }, "give-up"],
    ["auth", { ...ALONE, pauseMs: 1_000 }, "wait"],
    ["overloaded", {}, "retry-same"],
    ["overloaded", { retries: 1 }, "retry-same"],
    ["overloaded", { retries: 2 }, "next-model"],
    ["overloaded", { retries: 2, modelsLeft: 0 }, "give-up"],
    ["overloaded", { retries: undefined }, "next-model"],
    ["network", { shareMs: 100 }, "next-model"],
    ["timeout", { shareMs: 0 }, "next-model"],
    ["malformed", {}, "retry-same"],
    ["context-overflow", { compactions: 2 }, "compact"],
    ["context-overflow", { compactions: 3 }, "give-up"],
    ["context-overflow", { compactions: 3, largerModelsLeft: 1 }, "next-model"],
    ["refused", { refusals: 1 }, "next-model"],
    ["refused", { refusals: 2 }, "give-up"],
    ["refused", { refusals: 1, modelsLeft: 0 }, "give-up"],
    ["bad-request", {}, "next-model"],
    ["not-found", {}, "next-model"],
    ["unknown", {}, "next-model"],
    ["unknown", ALONE, "give-up"],
    ["budget", { pauseMs: 10 }, "give-up"],
    ["overloaded", { attempts: 12 }, "give-up"],
    ["auth", { attempts: 12 }, "give-up"],
  ])("%s with %o comes %s", ([reason, state, kind]) => {
    expect(after(reason, state).kind).toBe(kind);
  });

  it.for<[number, number, number | undefined, number]>([
    [0, 0, undefined, 225],
    [0, 1, undefined, 375],
    [1, 0.5, undefined, 1_000],
    [0, 0.5, 2_000, 2_000],
  ])("retry %i with jitter %f and a wish of %o ms comes after %i ms", ([retries, jitter, wish, afterMs]) => {
    expect(after("overloaded", { retries, jitter }, wish)).toEqual({ kind: "retry-same", afterMs });
  });

  it("a server that wants a long pause is not asked again", () => {
    expect(after("overloaded", {}, 30_000).kind).toBe("next-model");
  });
});
