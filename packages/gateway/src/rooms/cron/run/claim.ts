// Decides what becomes of the instants that are due: which one runs, and which are only noted. Pure.
import { toGatewayError, type CronJob } from "@chela/sdk";
import { findDue, findNewest, timesOf, type Due } from "../instants.ts";
import { dueRunId } from "./build-run.ts";
import { ownState, withState, type Skipped } from "../parts.ts";
import type { Timetable } from "../schedule/index.ts";

export type Claim =
  /** Somebody changed the job meanwhile. */
  | { readonly kind: "not-due" }
  /** It runs already. Its end decides about the instants since. */
  | { readonly kind: "running"; readonly job: CronJob }
  | { readonly kind: "run"; readonly dueAt: number; readonly job: CronJob; readonly skipped?: Skipped }
  /** Nothing is run. */
  | { readonly kind: "pass"; readonly job: CronJob; readonly skipped?: Skipped };

/** An instant that is older when we look at it was missed. */
const GRACE_MS = 60_000;
const MOST_CAUGHT_UP = 1_000;
const MOST_SCHEDULE_ERRORS = 3;
const SCHEDULE_AGAIN_MS = 60_000;

export function decideClaim(job: CronJob, now: number, timetable: Timetable): Claim {
  const { nextRunAtMs: gate, runningAtMs } = job.state;
  if (!job.enabled || gate === undefined || gate > now) return { kind: "not-due" };
  try {
    const nextRunAtMs = timetable.nextRunAfter(job.schedule, now, timesOf(job));
    if (runningAtMs !== undefined) return { kind: "running", job: withState(job, { nextRunAtMs }) };
    const due = findDue(timetable, job, cursorOf(job, gate), now);
    if (!due) return runAt(gate, withState(job, { nextRunAtMs }), now);
    if (job.catchUp === "all") return catchUpAll(job, due, { now, nextRunAtMs, timetable });
    const isWanted = job.catchUp !== "skip" || isFresh(job, due.newest, now);
    const skipped = isWanted ? besidesNewest(due) : all(due);
    const moved = withState(job, { nextRunAtMs, cursorMs: due.newest });
    const told = skipped ? { skipped: named(job, skipped) } : {};
    return isWanted ? { ...runAt(due.newest, moved, now), ...told } : { kind: "pass", job: passed(moved), ...told };
  } catch (error) {
    return { kind: "pass", job: afterScheduleError(job, error, now) };
  }
}

/** Before the first instant that may be due. */
function cursorOf(job: CronJob, gate: number): number {
  return Math.min(ownState(job).cursorMs ?? gate - 1, gate - 1);
}

export function isFresh({ schedule }: CronJob, instant: number, now: number): boolean {
  const stagger = schedule.kind === "cron" ? (schedule.staggerMs ?? 0) : 0;
  return instant >= now - GRACE_MS - stagger;
}

function runAt(dueAt: number, job: CronJob, now: number): Extract<Claim, { kind: "run" }> {
  const running = withState(job, {
    runningAtMs: now,
    runningId: dueRunId(job, dueAt),
    cursorMs: dueAt,
    backoffUntilMs: undefined,
    scheduleErrorCount: undefined,
  });
  return { kind: "run", dueAt, job: running };
}

/** A job for one instant that went by has nothing left to wait for. */
function passed(job: CronJob): CronJob {
  const skipped = withState(job, { lastRunStatus: "skipped" });
  return job.schedule.kind === "at" ? { ...skipped, enabled: false } : skipped;
}

/** One after the other, the oldest first: the end of each lets the next one begin. */
function catchUpAll(
  job: CronJob,
  due: Due,
  {
    now,
    nextRunAtMs,
    timetable,
  }: { readonly now: number; readonly nextRunAtMs: number | undefined; readonly timetable: Timetable },
): Claim {
  const [first = due.newest] = due.oldest;
  const moved = withState(job, { nextRunAtMs });
  if (due.count <= MOST_CAUGHT_UP) return runAt(first, moved, now);
  const kept = findNewest(timetable, job, { fromMs: first - 1, toMs: now, limit: MOST_CAUGHT_UP });
  const [begin = due.newest] = kept;
  const last = timetable.lastRunBetween(job.schedule, first - 1, begin - 1, timesOf(job)) ?? first;
  const count = Math.max(1, due.count - kept.length);
  const skipped = {
    reason: "missed" as const,
    count,
    first,
    last,
    ...(due.isAtLeast ? { isAtLeast: true as const } : {}),
  };
  return { ...runAt(begin, moved, now), skipped };
}

function besidesNewest(due: Due): Omit<Skipped, "reason"> | undefined {
  const { previous, count, oldest, isAtLeast } = due;
  if (previous === undefined) return undefined;
  return { count: count - 1, first: oldest[0] ?? previous, last: previous, ...(isAtLeast ? { isAtLeast } : {}) };
}

export function all(due: Due): Omit<Skipped, "reason"> {
  const { count, newest, isAtLeast } = due;
  return { count, first: due.oldest[0] ?? newest, last: newest, ...(isAtLeast ? { isAtLeast } : {}) };
}

function named(job: CronJob, skipped: Omit<Skipped, "reason">): Skipped {
  const { backoffUntilMs = 0 } = ownState(job);
  return { reason: skipped.last < backoffUntilMs ? "back-off" : "missed", ...skipped };
}

/** A schedule that cannot be computed several times in a row will not be by itself. */
export function afterScheduleError(job: CronJob, error: unknown, now: number): CronJob {
  const scheduleErrorCount = (job.state.scheduleErrorCount ?? 0) + 1;
  const isOver = scheduleErrorCount >= MOST_SCHEDULE_ERRORS;
  const why = toGatewayError(error, "CRON_SCHEDULE").message;
  const failed = withState(job, {
    scheduleErrorCount,
    lastRunStatus: "error",
    lastError: isOver ? `${why} The job was disabled after ${scheduleErrorCount} attempts.` : why,
    lastErrorReason: "schedule",
    nextRunAtMs: isOver ? undefined : now + SCHEDULE_AGAIN_MS,
  });
  return isOver ? { ...failed, enabled: false } : failed;
}
