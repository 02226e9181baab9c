// Plans when a job runs first: after it was made, changed, enabled or read from a file. Pure.
import { GatewayError, type CronJob } from "@chela/sdk";
import { timesOf } from "../instants.ts";
import { withState } from "../parts.ts";
import type { Timetable } from "../schedule/index.ts";

/** Somebody who says "now" means it, though a moment has passed until it is read. */
const JUST_NOW_MS = 60_000;

/** The instants that are past are past. */
export function planJob(job: CronJob, now: number, timetable: Timetable): CronJob {
  const nextRunAtMs = job.enabled ? firstRun(job, now, timetable) : undefined;
  const cursorMs = nextRunAtMs === undefined ? now : Math.min(now, nextRunAtMs - 1);
  return withState(job, { nextRunAtMs, cursorMs, backoffUntilMs: undefined, retries: undefined });
}

/** The same for what a person wishes now: one that would never run is refused. */
export function planWished(job: CronJob, now: number, timetable: Timetable): CronJob {
  const planned = planJob(job, now, timetable);
  if (!job.enabled || planned.state.nextRunAtMs !== undefined) return planned;
  if (job.schedule.kind === "at") {
    throw new GatewayError("CRON_SCHEDULE", `at is "${job.schedule.at}", which is past`);
  }
  const written = job.schedule.kind === "cron" ? `"${job.schedule.expr}"` : "it";
  throw new GatewayError("CRON_SCHEDULE", `${written} will never be due`);
}

function firstRun(job: CronJob, now: number, timetable: Timetable): number | undefined {
  const after = job.schedule.kind === "at" ? now - JUST_NOW_MS : now;
  return timetable.nextRunAfter(job.schedule, after, timesOf(job));
}
