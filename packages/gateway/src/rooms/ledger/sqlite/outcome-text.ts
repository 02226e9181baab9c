// Encodes the outcome of a turn: the tools offered are mostly the same, and lie in one place for all turns.
import type { RunOutcome } from "@chela/sdk";
import type { Get, Write } from "./apply-change.ts";
import { isKept, keepOnce, readKept } from "./kept-once.ts";

/** The text of an outcome, with the key of its policy instead of the policy itself. */
export function writeOutcome(write: Write, outcome: RunOutcome): string {
  const { policy, ...trace } = outcome.trace ?? {};
  if (typeof policy !== "object" || policy === null) return JSON.stringify(outcome);
  return JSON.stringify({ ...outcome, trace: { ...trace, policy: keepOnce(write, "turn-policy", policy) } });
}

/** The outcome with its policy in its place again. */
export function wholeOutcome(outcome: RunOutcome, get: Get): RunOutcome {
  const key = outcome.trace?.["policy"];
  const policy = isKept("turn-policy", key) ? readKept(get, key) : undefined;
  return policy ? { ...outcome, trace: { ...outcome.trace, policy } } : outcome;
}
