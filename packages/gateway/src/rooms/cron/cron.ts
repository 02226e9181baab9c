// The cron room put together: opened when there is a job, started after the errands of an earlier process were taken up.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CronJob, type ErrandRecord, OneAtATime } from "@chela/sdk";
import { importRuns } from "./store/import-runs.ts";
import { importStore } from "./store/import-store.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { createJobErrands } from "./job-errands.ts";
import { createMirror } from "./store/mirror.ts";
import { ownState, withState, workOf, type CronHouse, type CronParts } from "./parts.ts";
import { planJob } from "./run/plan-job.ts";
import { createQuestions } from "./questions.ts";
import { toRunEntry } from "./run/run-entry.ts";
import { createRunner } from "./run/runner.ts";
import { openTimetable } from "./schedule/index.ts";
import { clearOldRuns } from "./clear-old-runs.ts";

export interface Cron extends Jobs, ReturnType<typeof createQuestions> {
  readonly handler: Pick<
    ReturnType<typeof createJobErrands>,
    "carryOut" | "afterCrash" | "tidings" | "settling" | "settled"
  >;
  status(): Promise<CronStatus>;
  /** What is said of a run to those outside, in events and posts. */
  tellRun(run: ErrandRecord): Promise<Record<string, unknown>>;
  start(): void;
  /** Another configuration is in force. */
  configured(changed: readonly string[]): void;
  /** Nothing more begins; commands that run may come to their end, for a while. */
  stop(): Promise<void>;
  /** After errands were closed: what still runs is ended, and counts as broken off. */
  leave(): Promise<void>;
  /** Resolves when the files are what the ledger is. */
  mirrored(): Promise<void>;
}

interface CronStatus {
  readonly enabled: boolean;
  readonly storePath: string;
  readonly jobs: number;
  readonly running: number;
  readonly nextWakeAtMs: number | null;
}

const JUMP_MS = 60_000;
/** How long commands may go on when the gateway stops. */
const PATIENCE_MS = 20_000;

export async function createCron(house: CronHouse, parts: CronParts): Promise<Cron> {
  const { ledger, clock, log } = house;
  const timetable = await openTimetable();
  const locks = new OneAtATime();
  const planning = { timetable, locks, openedAt: clock.now() };
  const runner = createRunner(house, planning);
  const handler = createJobErrands(house, parts, planning, runner);
  const mirror = createMirror(house, {
    importStore: () => importStore(house, planning),
    imported() {
      runner.stop();
      runner.start();
    },
  });
  const ends: Array<() => void> = [];
  await importStore(house, planning);
  await importRuns(house);

  async function tellRun(run: ErrandRecord): Promise<Record<string, unknown>> {
    const { state: _state, ts: _ts, ...entry } = toRunEntry(run, await ledger.job(run.owner));
    return entry;
  }

  function hearStep(run: ErrandRecord): void {
    if (run.kind !== "cron" || workOf(run).kind !== "run") return;
    if (run.state === "running")
      parts.tell({ jobId: run.owner, action: "started", runAtMs: run.startedAt ?? run.dueAt, runId: run.runId });
    if (run.state === "settled")
      void tellRun(run)
        .then((said) => parts.tell({ ...said, jobId: run.owner, action: "finished" }))
        .catch((error: unknown) => warn(run.owner, error));
  }

  function warn(job: string, error: unknown): void {
    log.warn("a job could not be looked after", { job, error: String(error) });
  }

  /** What an earlier process, or a file, left as nobody would plan it now. Most jobs need no second look. */
  async function tidy(): Promise<void> {
    for (const job of await ledger.jobs()) {
      if (!isOdd(job) && job.state.runningAtMs === undefined) continue;
      await locks.run(job.id, () => tidyJob(job.id)).catch((error: unknown) => warn(job.id, error));
      await nextTurn();
    }
  }

  /** Not planned, or planned by a clock that was ahead. */
  function isOdd(job: CronJob): boolean {
    const { runningAtMs, nextRunAtMs } = job.state;
    const isUnplanned = job.enabled && nextRunAtMs === undefined && runningAtMs === undefined;
    return isUnplanned || (ownState(job).cursorMs ?? 0) > clock.now() + JUMP_MS;
  }

  async function tidyJob(id: string): Promise<void> {
    const found = await ledger.job(id);
    if (!found) return;
    const job = await withoutLostRun(found);
    const next = isOdd(job) ? planned(job) : job;
    if (next !== found) await ledger.commit([{ kind: "job-put", job: next }]);
    runner.expect(next.enabled ? next.state.nextRunAtMs : undefined);
  }

  /** A run that no errand knows of will never end. */
  async function withoutLostRun(job: CronJob): Promise<CronJob> {
    if (job.state.runningAtMs === undefined) return job;
    const run = await ledger.errand(ownState(job).runningId ?? "");
    if (run && run.state !== "settled") return job;
    return withState(job, { runningAtMs: undefined, runningId: undefined });
  }

  function planned(job: CronJob): CronJob {
    try {
      return planJob(job, clock.now(), timetable);
    } catch {
      return withState(job, { nextRunAtMs: clock.now() });
    }
  }

  return {
    ...createJobs(house, parts, planning, runner),
    ...createQuestions(house, planning),
    handler,
    tellRun,
    async status() {
      const { isEnabled, storePath } = house.cronSettings();
      const jobs = await ledger.jobs();
      return {
        enabled: isEnabled,
        storePath,
        jobs: jobs.length,
        running: jobs.filter(({ state }) => state.runningAtMs !== undefined).length,
        nextWakeAtMs: isEnabled ? ((await ledger.nextJobAt()) ?? null) : null,
      };
    },
    start() {
      ends.push(house.errands.onStep(hearStep));
      ends.push(clearOldRuns(house, (key) => parts.deleteSession(key)));
      runner.start();
      void mirror
        .start()
        .then(tidy)
        .catch((error: unknown) => log.error("jobs could not be put in order", { error: String(error) }));
    },
    configured(changed) {
      if (!changed.some((path) => path.startsWith("cron"))) return;
      runner.stop();
      runner.start();
    },
    async stop() {
      runner.stop();
      await Promise.race([handler.idle(), new Promise<void>((resolve) => clock.after(PATIENCE_MS, resolve))]);
    },
    async leave() {
      for (const end of ends.splice(0)) end();
      handler.endCommands();
      await mirror.stop();
    },
    mirrored: () => mirror.flush(),
  };
}
