// How long credentials rest: the ladder, the window, billing, and what a success forgets.
import { describe, expect, it } from "vitest";
import { restOf, statsAfterFailure, statsAfterSuccess, type RestReason } from "./cooldown.ts";
import type { UsageStats } from "./stored-profile.ts";

const RULES = { billingBackoffHours: 5, billingMaxHours: 24, failureWindowHours: 24 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 15);

function failTimes(reason: RestReason, times: number, retryAfterMs?: number): { rests: number[]; stats: UsageStats } {
  let stats: UsageStats = { errorCount: 0 };
  let now = START;
  const rests: number[] = [];
  for (let time = 0; time < times; time++) {
    const failure = retryAfterMs === undefined ? { reason } : { reason, retryAfterMs };
    stats = statsAfterFailure(stats, failure, RULES, now);
    const until = restOf(stats, now)?.until ?? now;
    rests.push(until - now);
    now = until;
  }
  return { rests, stats };
}

describe("a credential that fails", () => {
  it.for<[RestReason, number[], number | undefined]>([
    ["auth", [1, 5, 25, 60, 60].map((minutes) => minutes * MINUTE), undefined],
    ["rate-limit", [1, 5, 25, 60].map((minutes) => minutes * MINUTE), undefined],
    ["rate-limit", [7_000, 7_000], 7_000],
    ["rate-limit", [MINUTE, 2 * MINUTE], 2 * MINUTE],
    ["rate-limit", [1_000], 0],
    ["billing", [5, 10, 20, 24, 24].map((hours) => hours * HOUR), undefined],
  ])("rests longer every time: %s", ([reason, expected, wish]) => {
    expect(failTimes(reason, expected.length, wish).rests).toEqual(expected);
  });

  it("does not rest for ever when the clock is set back", () => {
    const failed = statsAfterFailure({ errorCount: 0 }, { reason: "auth" }, RULES, START);
    expect(restOf(failed, START)).toMatchObject({ reason: "auth" });
    expect(restOf(failed, START - 2 * HOUR)).toBeUndefined();
  });

  it("does not rest longer for calls that fail together", () => {
    const once = statsAfterFailure({ errorCount: 0 }, { reason: "auth" }, RULES, START);
    expect(statsAfterFailure(once, { reason: "rate-limit" }, RULES, START + 10)).toBe(once);
  });

  it("is disabled for billing even while it cools down", () => {
    const cooling = statsAfterFailure({ errorCount: 0 }, { reason: "rate-limit" }, RULES, START);
    const stats = statsAfterFailure(cooling, { reason: "billing" }, RULES, START + 10);
    expect(restOf(stats, START + 10)).toMatchObject({ reason: "billing", isDisabled: true });
    expect(stats).toMatchObject({ disabledReason: "billing", failureCounts: { rate_limit: 1, billing: 1 } });
  });

  it("starts from the beginning when its last failure is a day old", () => {
    const { stats } = failTimes("auth", 3);
    const later = (stats.lastFailureAt ?? 0) + 24 * HOUR + 1;
    const again = statsAfterFailure(stats, { reason: "auth" }, RULES, later);
    expect(again).toMatchObject({ errorCount: 1, cooldownUntil: later + MINUTE, failureCounts: { auth: 1 } });
  });

  it("forgets all of it when a call succeeds, and keeps what others wrote", () => {
    const { stats } = failTimes("billing", 2);
    expect(statsAfterSuccess({ ...stats, foreign: 1 }, START)).toEqual({
      errorCount: 0,
      lastUsed: START,
      lastFailureAt: stats.lastFailureAt,
      foreign: 1,
    });
  });
});
