// Lets go of old events so that the rest can still be verified: the trail says itself what went, in the same commit.
import type { Ledger } from "@chela/sdk";
import { auditChange } from "./events.ts";

/** The target of the event that says what was let go. */
export const FORGOTTEN = "forgotten";

/** Returns how many events went. */
export async function forgetOld(ledger: Ledger, before: number, now: number): Promise<number> {
  const upTo = await lastBefore(ledger, before);
  if (!upTo) return 0;
  const base = await ledger.auditBase();
  const count = upTo.seq - base.seq;
  const detail = { seq: upTo.seq, hash: upTo.hash, count, olderThan: before };
  await ledger.commit([
    auditChange({ action: "audit", actor: "gateway", target: FORGOTTEN, outcome: "ok", detail }, now),
    { kind: "audit-forget", upTo: upTo.seq },
  ]);
  return count;
}

/**
 * The newest event that may go. Events stand in the order in which they were written, and a clock may have been set back:
 * what stands behind the first event that has to stay, stays too.
 */
async function lastBefore(ledger: Ledger, before: number) {
  const [firstToStay] = await ledger.audit({ from: before, limit: 1, order: "oldest" });
  const [last] = await ledger.audit({ ...(firstToStay ? { beforeSeq: firstToStay.seq } : {}), limit: 1 });
  return last;
}
