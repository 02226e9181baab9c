// Whether a start of the gateway has anything to do for jobs. Many have not, and load nothing of them.
import { OPEN_ERRANDS, type CronJob, type Ledger } from "@chela/sdk";
import { alertId } from "./build-run.ts";
import { lookAtStore, storeFiles } from "./look-at-store.ts";
import { ownState } from "./parts.ts";

export async function needsCron(ledger: Ledger, storePath: string): Promise<boolean> {
  if ((await ledger.nextJobAt()) !== undefined) return true;
  if ((await ledger.countErrands({ kind: "cron", states: OPEN_ERRANDS })) > 0) return true;
  for (const job of await ledger.jobs()) if (await isUnfinished(job, ledger)) return true;
  for (const path of storeFiles(storePath)) {
    const { kind } = await lookAtStore(path, ledger);
    if (kind !== "absent") return kind === "edited";
  }
  return false;
}

/** A process that died left it: not planned, running though no errand knows of it, or failed and nobody was told. */
async function isUnfinished(job: CronJob, ledger: Ledger): Promise<boolean> {
  const { nextRunAtMs, runningAtMs } = job.state;
  if (runningAtMs !== undefined || (job.enabled && nextRunAtMs === undefined)) return true;
  const { alertFor } = ownState(job);
  return alertFor !== undefined && (await ledger.errand(alertId(alertFor))) === undefined;
}
