// Watches the clock for all jobs with one timer, and claims what is due: the instant, the next one and the errand are one commit.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CronJob } from "@chela/sdk";
import { buildRun, dueRunId, noteSkipped } from "./build-run.ts";
import { afterScheduleError, decideClaim } from "./claim.ts";
import { freeJob } from "../free-job.ts";
import { ownState, withState, type CronHouse, type Planning } from "../parts.ts";
import { planJob } from "./plan-job.ts";

type Claimed = "began" | "running" | "passed" | "not-due";

export interface Runner {
  start(): void;
  stop(): void;
  /** A job is due at this time. */
  expect(at: number | undefined): void;
  /** Runs what is due of one job. */
  claim(id: string): Promise<Claimed>;
}

const AT_ONCE = 200;
/** Machines sleep and clocks are set: nobody relies on a longer wait. */
const LONGEST_WAIT_MS = 60_000;
const JUMP_MS = 60_000;
const AGAIN_MS = 5_000;

export function createRunner(house: CronHouse, planning: Planning): Runner {
  const { ledger, clock, log } = house;
  const { locks, timetable } = planning;
  let timer: { readonly at: number; cancel(): void } | undefined;
  let isRunning = false;
  let looking: Promise<void> | undefined;
  let lastSeen = clock.now();
  /** Could not be begun, such as for want of room on the disk: left alone until all of them are tried again. */
  const left = new Set<string>();
  let againAt = 0;

  function expect(at: number | undefined): void {
    if (!isRunning || at === undefined || !house.cronSettings().isEnabled) return;
    if (timer && timer.at <= at) return;
    timer?.cancel();
    const wait = Math.max(0, Math.min(at - clock.now(), LONGEST_WAIT_MS));
    timer = { at: clock.now() + wait, cancel: clock.after(wait, wakeUp) };
  }

  function wakeUp(): void {
    timer = undefined;
    looking = (looking ?? Promise.resolve())
      .then(look)
      .then(nextLook)
      .catch((error: unknown) => {
        log.error("jobs could not be looked at", { error: String(error) });
        return clock.now() + AGAIN_MS;
      })
      .then(expect);
  }

  /** One that came while we looked is due at once. Those that are left alone count when they are tried again. */
  async function nextLook(): Promise<number | undefined> {
    if (left.size === 0) return ledger.nextJobAt();
    const soon = await ledger.dueJobs(againAt, left.size + 1);
    return soon.find(({ id }) => !left.has(id))?.state.nextRunAtMs ?? againAt;
  }

  async function look(): Promise<void> {
    const wasPutBack = clock.now() < lastSeen - JUMP_MS;
    if (wasPutBack) await planAnew();
    if (wasPutBack || clock.now() >= againAt) left.clear();
    lastSeen = clock.now();
    while (isRunning && house.cronSettings().isEnabled) {
      const due = (await ledger.dueJobs(clock.now(), AT_ONCE + left.size)).filter(({ id }) => !left.has(id));
      if (due.length === 0) return;
      // Together: many begin in one transaction.
      await Promise.all(due.map(({ id }) => tryClaim(id)));
      await nextTurn();
    }
  }

  async function tryClaim(id: string): Promise<void> {
    try {
      await claim(id);
    } catch (error) {
      if (left.size === 0) againAt = clock.now() + AGAIN_MS;
      left.add(id);
      log.error("a job that is due could not be begun; it is tried again", { job: id, error: String(error) });
    }
  }

  function claim(id: string): Promise<Claimed> {
    return locks.run(id, async () => {
      const found = await ledger.job(id);
      const job = found && ((await freeJob(found, house, planning)) ?? found);
      const decided = job ? decideClaim(job, clock.now(), timetable) : ({ kind: "not-due" } as const);
      switch (decided.kind) {
        case "not-due":
          return "not-due";
        case "running":
          await put(decided.job);
          return "running";
        case "pass":
          await put(decided.job, decided.skipped ? noteSkipped(decided.job, decided.skipped, house) : []);
          return "passed";
        case "run":
          return begin(
            decided.job,
            decided.dueAt,
            decided.skipped ? noteSkipped(decided.job, decided.skipped, house) : [],
          );
      }
    });
  }

  async function begin(job: CronJob, dueAt: number, more: ReturnType<typeof noteSkipped>): Promise<Claimed> {
    const errand = await buildRun(job, { runId: dueRunId(job, dueAt), dueAt, trigger: "due" }, house);
    if (await house.errands.begin(errand, [{ kind: "job-put", job }, ...more])) return "began";
    // Clocks were put back, and this instant has been run.
    await put(withState(job, { runningAtMs: undefined, runningId: undefined }), more);
    return "passed";
  }

  function put(job: CronJob, more: ReturnType<typeof noteSkipped> = []): Promise<void> {
    return ledger.commit([{ kind: "job-put", job }, ...more]);
  }

  /** Clocks were put back: nobody waits until they show again what they showed. */
  async function planAnew(): Promise<void> {
    const now = clock.now();
    log.warn("the clock was put back; jobs are planned anew", { by: lastSeen - now });
    for (const { id } of await ledger.jobs()) {
      await locks
        .run(id, () => planOneAnew(id, now))
        .catch((error: unknown) => log.warn("a job could not be planned anew", { job: id, error: String(error) }));
    }
  }

  async function planOneAnew(id: string, now: number): Promise<void> {
    const job = await ledger.job(id);
    if (!job?.enabled || job.state.runningAtMs !== undefined) return;
    const isAhead = (ownState(job).cursorMs ?? 0) > now || (job.state.nextRunAtMs ?? 0) > now;
    if (isAhead) await put(planOrSay(job, now));
  }

  function planOrSay(job: CronJob, now: number): CronJob {
    try {
      return planJob(job, now, timetable);
    } catch (error) {
      return afterScheduleError(job, error, now);
    }
  }

  return {
    start() {
      if (isRunning) return;
      isRunning = true;
      lastSeen = clock.now();
      wakeUp();
    },
    stop() {
      isRunning = false;
      timer?.cancel();
      timer = undefined;
    },
    expect,
    claim,
  };
}
