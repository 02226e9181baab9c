// Tells whether a start of the gateway has anything to do for jobs. Many have not, and load nothing of them.
import { OPEN_ERRANDS, type CronJob, type Ledger } from "@chela/sdk";
import { lookAtStore, storeFiles } from "./store/look-at-store.ts";

export async function needsCron(ledger: Ledger, storePath: string): Promise<boolean> {
  if ((await ledger.nextJobAt()) !== undefined) return true;
  if ((await ledger.countErrands({ kind: "cron", states: OPEN_ERRANDS })) > 0) return true;
  if ((await ledger.jobs()).some(isUnfinished)) return true;
  for (const path of storeFiles(storePath)) {
    const { kind } = await lookAtStore(path, ledger);
    if (kind !== "absent") return kind === "edited";
  }
  return false;
}

/** A process that died left it: not planned, or running though no errand knows of it. */
function isUnfinished({ enabled, state }: CronJob): boolean {
  return state.runningAtMs !== undefined || (enabled && state.nextRunAtMs === undefined);
}
