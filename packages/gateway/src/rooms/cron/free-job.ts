// Lets a job go on whose last run is over, while its result is still under way: that may take hours.
import type { CronJob } from "@chela/sdk";
import { afterExecution, mayGoOn } from "./run/after-run.ts";
import { noteSkipped } from "./run/build-run.ts";
import { judgeRun } from "./run/judge-run.ts";
import { ownState, type CronHouse, type Planning } from "./parts.ts";

/** The job as it is then; undefined when it has to wait. Call while nobody else changes it. */
export async function freeJob(
  job: CronJob,
  house: CronHouse,
  { timetable, openedAt }: Planning,
): Promise<CronJob | undefined> {
  const { runningId } = ownState(job);
  if (job.state.runningAtMs === undefined || runningId === undefined) return undefined;
  const run = await house.ledger.errand(runningId);
  if (run?.state !== "executed" || !mayGoOn(job, run)) return undefined;
  const now = run.endedAt ?? house.clock.now();
  const after = afterExecution(job, { run, verdict: judgeRun(run), now, openedAt, timetable });
  if (!after.job) return undefined;
  const skipped = after.skipped ? noteSkipped(job, after.skipped, house) : [];
  await house.ledger.commit([{ kind: "job-put", job: after.job }, ...skipped]);
  return after.job;
}
