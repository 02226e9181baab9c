// Updates a job after one of its runs: when it runs next, whether it is still there, what was left out meanwhile. Pure.
import type { CronJob, ErrandRecord } from "@chela/sdk";
import { afterScheduleError, all, isFresh } from "./claim.ts";
import { NO_OWNER } from "./carry-out.ts";
import { findDue, timesOf } from "../instants.ts";
import type { Verdict } from "./judge-run.ts";
import { ownState, withState, workOf, type Skipped } from "../parts.ts";
import type { Timetable } from "../schedule/index.ts";

export interface RunEnd {
  readonly run: ErrandRecord;
  readonly verdict: Verdict;
  readonly now: number;
  /** When this gateway began to look after jobs. */
  readonly openedAt: number;
  readonly timetable: Timetable;
}

export interface AfterRun {
  /** Undefined: it has done what it was for. */
  readonly job?: CronJob;
  readonly skipped?: Skipped;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const BACKOFF_MS = [30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
const MOST_RETRIES = 3;
/** Trying again would not help, or would do something twice. */
const FINAL_REASONS: ReadonlySet<string | undefined> = new Set(["crash", "agent", "sandbox", "delivery", NO_OWNER]);

/** It is over and settled. One that was over before its result arrived has let its job go on already. */
export function afterRun(job: CronJob, end: RunEnd): AfterRun {
  if (ownState(job).runningId !== end.run.runId) return { job: noteDelivery(job, end) };
  return afterExecution(noteDelivery(job, end), end);
}

/** It is over, and its result is under way or has arrived. */
export function afterExecution(job: CronJob, end: RunEnd): AfterRun {
  const noted = noteOutcome(job, end);
  try {
    const owed = findOwed(noted, end);
    if (owed !== undefined) return { job: withState(noted, { nextRunAtMs: owed }) };
    if (!isForced(end.run) && end.verdict.status === "ok" && removesItself(noted)) return {};
    if (!noted.enabled) return { job: withState(noted, { nextRunAtMs: undefined }) };
    return noted.schedule.kind === "at" ? { job: afterInstant(noted, end) } : planNext(noted, end);
  } catch (error) {
    return { job: afterScheduleError(noted, error, end.now) };
  }
}

/** Whether the job may go on while the result of this run is still under way. */
export function mayGoOn(job: CronJob, run: ErrandRecord): boolean {
  return ownState(job).runningId === run.runId && job.schedule.kind !== "at" && !removesItself(job);
}

function isForced(run: ErrandRecord): boolean {
  const work = workOf(run);
  return work.kind === "run" && work.trigger === "force";
}

/** A job for one instant that was set for another one, or run by hand, still has that one ahead or has it to make up for. */
function findOwed(job: CronJob, { now, timetable }: RunEnd): number | undefined {
  if (job.schedule.kind !== "at" || !job.enabled) return undefined;
  return job.state.nextRunAtMs ?? findDue(timetable, job, ownState(job).cursorMs ?? now, now)?.newest;
}

function removesItself({ deleteAfterRun, schedule }: CronJob): boolean {
  return deleteAfterRun ?? schedule.kind === "at";
}

function noteOutcome(job: CronJob, { run, verdict, now }: RunEnd): CronJob {
  const { status, error, reason } = verdict;
  const startedAt = run.startedAt ?? run.dueAt;
  const failures = job.state.consecutiveErrors ?? 0;
  return withState(job, {
    runningAtMs: undefined,
    runningId: undefined,
    lastRunAtMs: startedAt,
    lastRunStatus: status,
    lastError: error,
    lastErrorReason: status === "error" ? reason : undefined,
    lastDurationMs: Math.max(0, (run.endedAt ?? now) - startedAt),
    consecutiveErrors: status === "error" ? failures + 1 : status === "ok" ? 0 : failures,
    lastDeliveryStatus: run.delivered?.status ?? "unknown",
  });
}

function noteDelivery(job: CronJob, { run, verdict }: RunEnd): CronJob {
  const { delivered } = run;
  const noted = withState(job, {
    lastDelivered: delivered?.status === "delivered",
    lastDeliveryStatus: delivered?.status ?? "unknown",
    lastDeliveryError: delivered?.error,
  });
  if (ownState(job).runningId === run.runId || verdict.reason !== "delivery") return noted;
  return withState(noted, {
    lastRunStatus: "error",
    lastError: verdict.error,
    lastErrorReason: verdict.reason,
    consecutiveErrors: (job.state.consecutiveErrors ?? 0) + 1,
  });
}

/** A job for one instant: tried again when that may help, else kept, disabled, so that nothing is lost silently. */
function afterInstant(job: CronJob, { run, verdict, now }: RunEnd): CronJob {
  const work = workOf(run);
  const retries = ownState(job).retries ?? 0;
  const mayHelp = work.kind === "run" && work.payload.kind === "agentTurn" && !FINAL_REASONS.has(verdict.reason);
  if (job.enabled && verdict.status === "error" && mayHelp && retries < MOST_RETRIES) {
    return withState(job, { retries: retries + 1, nextRunAtMs: now + backoffOf(retries + 1) });
  }
  return { ...withState(job, { retries: undefined, nextRunAtMs: undefined }), enabled: false };
}

function planNext(job: CronJob, { run, verdict, now, openedAt, timetable }: RunEnd): AfterRun {
  const times = timesOf(job);
  const { cursorMs = now } = ownState(job);
  const failures = verdict.status === "error" ? (job.state.consecutiveErrors ?? 0) : 0;
  const backoffUntilMs = failures > 0 ? now + backoffOf(failures) : undefined;
  const next = (after: number) => timetable.nextRunAfter(job.schedule, after, times);
  const planned = (nextRunAtMs: number | undefined, cursor = cursorMs) =>
    withState(job, { nextRunAtMs, cursorMs: cursor, backoffUntilMs });
  if (job.catchUp === "all") {
    const following = next(cursorMs);
    return { job: planned(following && Math.max(following, backoffUntilMs ?? 0)) };
  }
  const due = findDue(timetable, job, cursorMs, now);
  const [first] = due?.oldest ?? [];
  // It began before a restart, and instants went by while nobody was there: they are made up for like any others.
  const wasAway = first !== undefined && first < openedAt && !isFresh(job, first, openedAt);
  // Nor does a run by hand take the place of one that came due meanwhile.
  const isOwed = first !== undefined && isForced(run) && job.catchUp !== "skip";
  if (wasAway || isOwed) return { job: planned(Math.max(first, backoffUntilMs ?? 0)) };
  const nextRunAtMs = backoffUntilMs === undefined ? next(now) : next(Math.max(now, backoffUntilMs - 1));
  if (!due) return { job: planned(nextRunAtMs) };
  return { job: planned(nextRunAtMs, due.newest), skipped: { reason: "still-running", ...all(due) } };
}

function backoffOf(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
}
