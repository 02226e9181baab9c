// Computes how long a credential rests after a failure. Pure: statistics in, statistics out.
import type { ModelFailure } from "@chela/sdk";
import type { UsageStats } from "./stored-profile.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LONGEST_COOLDOWN_MS = 60 * MINUTE_MS;
/** A server that says "zero seconds" still means "not in the same breath". */
const SHORTEST_COOLDOWN_MS = 1_000;

export interface CooldownRules {
  readonly billingBackoffHours: number;
  readonly billingMaxHours: number;
  readonly failureWindowHours: number;
}

export type RestReason = "auth" | "billing" | "rate-limit";

/** Only these are the credential's own; all others say nothing about it. */
const NAMES: Readonly<Record<RestReason, string>> = { auth: "auth", billing: "billing", "rate-limit": "rate_limit" };

export function isRestReason(reason: string): reason is RestReason {
  return Object.hasOwn(NAMES, reason);
}

export interface Rest {
  readonly until: number;
  readonly reason: RestReason;
  readonly isDisabled: boolean;
}

/** Until when a credential must be left alone; undefined when it may be used. */
export function restOf(stats: UsageStats, now: number): Rest | undefined {
  const { disabledUntil = 0, cooldownUntil = 0 } = stats;
  if (disabledUntil > now && disabledUntil >= cooldownUntil) {
    return { until: disabledUntil, reason: toReason(stats.disabledReason, "billing"), isDisabled: true };
  }
  // No pause is longer than the longest: one that is was written down before the clock was set back.
  if (cooldownUntil > now && cooldownUntil - now <= LONGEST_COOLDOWN_MS) {
    return { until: cooldownUntil, reason: toReason(stats.cooldownReason, "rate-limit"), isDisabled: false };
  }
  return undefined;
}

export function statsAfterUse(stats: UsageStats, now: number): UsageStats {
  return { ...stats, lastUsed: now };
}

/** Keeps what others wrote beside our fields. */
export function statsAfterSuccess(stats: UsageStats, now: number): UsageStats {
  return { ...withoutRest(stats), errorCount: 0, lastUsed: now };
}

export function withoutRest(stats: UsageStats): UsageStats {
  const {
    cooldownUntil: _cooldown,
    cooldownReason: _why,
    disabledUntil: _disabled,
    disabledReason: _reason,
    failureCounts: _counts,
    ...kept
  } = stats;
  return { ...kept, errorCount: 0 };
}

export function statsAfterFailure(
  before: UsageStats,
  failure: Pick<ModelFailure, "retryAfterMs"> & { readonly reason: RestReason },
  rules: CooldownRules,
  now: number,
): UsageStats {
  const rest = restOf(before, now);
  // Calls that were under way together fail together: that is one failure, not many.
  if (rest && (rest.isDisabled || failure.reason !== "billing")) return before;
  const isFresh = now - (before.lastFailureAt ?? now) <= rules.failureWindowHours * HOUR_MS;
  const counts = isFresh ? (before.failureCounts ?? {}) : {};
  const name = NAMES[failure.reason];
  const count = (counts[name] ?? 0) + 1;
  const errorCount = (isFresh ? before.errorCount : 0) + 1;
  const failed = { ...before, errorCount, lastFailureAt: now, failureCounts: { ...counts, [name]: count } };
  if (failure.reason === "billing") {
    const hours = Math.min(rules.billingMaxHours, rules.billingBackoffHours * 2 ** (count - 1));
    return { ...failed, disabledUntil: now + hours * HOUR_MS, disabledReason: name };
  }
  return { ...failed, cooldownUntil: now + cooldownMs(errorCount, failure.retryAfterMs), cooldownReason: name };
}

/** 1, 5, 25, 60 minutes; what the server asks for wins when it is shorter. */
function cooldownMs(errorCount: number, retryAfterMs: number | undefined): number {
  const grown = Math.min(LONGEST_COOLDOWN_MS, MINUTE_MS * 5 ** Math.min(errorCount - 1, 3));
  return Math.max(SHORTEST_COOLDOWN_MS, Math.min(grown, retryAfterMs ?? grown));
}

function toReason(name: string | undefined, otherwise: RestReason): RestReason {
  const reasons = Object.keys(NAMES) as RestReason[];
  return reasons.find((reason) => NAMES[reason] === name) ?? otherwise;
}
