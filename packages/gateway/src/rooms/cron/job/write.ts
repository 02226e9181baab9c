// A job as it is written to cron/jobs.json and sent to clients.
import type { CronJob } from "@chela/sdk";

/** The status of the last run goes under both of its names, since readers of either are about. */
export function writeJob(job: CronJob): CronJob {
  const { state, ...rest } = job;
  const status = state.lastRunStatus ?? state.lastStatus;
  return { ...rest, state: status === undefined ? state : { ...state, lastRunStatus: status, lastStatus: status } };
}

export interface JobFile {
  readonly version: 1;
  readonly jobs: readonly CronJob[];
}

export function writeJobFile(jobs: readonly CronJob[]): JobFile {
  return { version: 1, jobs: jobs.map(writeJob) };
}
