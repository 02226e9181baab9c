// Commits that wait for the disk: a turn's work is not thrown away because there is no room for a moment.
import { pause, GatewayError, type Change, type Clock, type Ledger, type Logger } from "@chela/sdk";

const WAITS_MS = [250, 500, 1000, 2000, 5000, 10_000];

export type Commit = (changes: readonly Change[]) => Promise<void>;

/** Repeats while the ledger says "later"; other failures go through. `giveUp` ends the waiting (shutdown). */
export function patientCommit(ledger: Ledger, clock: Clock, log: Logger, giveUp: AbortSignal): Commit {
  return async (changes) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await ledger.commit(changes);
      } catch (error) {
        const waits = GatewayError.is(error) && error.row.retry === "later" && error.code !== "STORE_FAILED";
        if (!waits || giveUp.aborted) throw error;
        const waitMs = WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] ?? 10_000;
        if (attempt === 0) log.error(error.explain(), { code: error.code });
        await pause(clock, waitMs, giveUp);
      }
    }
  };
}
