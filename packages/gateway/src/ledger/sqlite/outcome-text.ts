// How the outcome of a turn is kept: what is the same turn after turn, the tools that were offered, lies in one place for all.
import { hash } from "node:crypto";
import type { RunOutcome } from "@chela/sdk";
import type { Get, Write } from "./apply-change.ts";

const KEY = "turn-policy:";

/** The text of an outcome, with the key of its policy instead of the policy itself. */
export function writeOutcome(write: Write, outcome: RunOutcome): string {
  const { policy, ...trace } = outcome.trace ?? {};
  if (typeof policy !== "object" || policy === null) return JSON.stringify(outcome);
  const text = JSON.stringify(policy);
  const key = `${KEY}${hash("sha256", text).slice(0, 24)}`;
  write("INSERT OR IGNORE INTO ledger_values (key, value) VALUES (?, ?)", key, text);
  return JSON.stringify({ ...outcome, trace: { ...trace, policy: key } });
}

export function readOutcome(text: string, get: Get): RunOutcome {
  const outcome = JSON.parse(text) as RunOutcome;
  const policy = outcome.trace?.["policy"];
  if (typeof policy !== "string" || !policy.startsWith(KEY)) return outcome;
  const row = get("SELECT value FROM ledger_values WHERE key = ?", policy);
  return row ? { ...outcome, trace: { ...outcome.trace, policy: JSON.parse(String(row["value"])) } } : outcome;
}
