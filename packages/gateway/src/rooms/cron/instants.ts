// Counts the instants of a schedule between two times. A job that was due every second for a month must not take a second to look at.
import { defined } from "@chela/sdk/base";
import type { CronJob } from "@chela/sdk";
import type { JobTimes, Timetable } from "./schedule/index.ts";

export interface Due {
  /** Oldest first. All of them, unless `isAtLeast`: then the oldest. */
  readonly oldest: readonly number[];
  readonly newest: number;
  /** The one before it. */
  readonly previous?: number;
  readonly count: number;
  readonly isAtLeast?: true;
}

const MOST_COUNTED = 2_000;

export function timesOf(job: CronJob): JobTimes {
  return { jobId: job.id, createdAtMs: job.createdAtMs };
}

/** The instants in (fromMs, toMs]; undefined when there are none. */
export function findDue(timetable: Timetable, job: CronJob, fromMs: number, toMs: number): Due | undefined {
  const { schedule } = job;
  const times = timesOf(job);
  const oldest = timetable.runsBetween(schedule, fromMs, toMs, { ...times, limit: MOST_COUNTED });
  const [first] = oldest;
  if (first === undefined) return undefined;
  if (oldest.length < MOST_COUNTED) {
    const [newest = first, previous] = oldest.slice(-2).toReversed();
    return { oldest, newest, count: oldest.length, ...defined({ previous }) };
  }
  if (schedule.kind === "every") {
    const count = Math.floor((toMs - first) / schedule.everyMs) + 1;
    const newest = first + (count - 1) * schedule.everyMs;
    return { oldest, newest, previous: newest - schedule.everyMs, count };
  }
  const newest = timetable.lastRunBetween(schedule, fromMs, toMs, times) ?? first;
  const previous = timetable.lastRunBetween(schedule, fromMs, newest - 1, times) ?? first;
  return { oldest, newest, previous, count: oldest.length, isAtLeast: true };
}

/** The newest `limit` instants in (fromMs, toMs], oldest first. */
export function findNewest(
  timetable: Timetable,
  job: CronJob,
  { fromMs, toMs, limit }: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
): readonly number[] {
  const { schedule } = job;
  const times = timesOf(job);
  for (let span = limit * 1000; ; span *= 2) {
    const from = Math.max(fromMs, toMs - span);
    const runs = timetable.runsBetween(schedule, from, toMs, { ...times, limit: Infinity });
    if (runs.length >= limit || from === fromMs) return runs.slice(-limit);
  }
}
