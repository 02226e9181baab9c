// Keeps OpenClaw's files what the ledger is: the jobs within a second after a change, a line for each run that ended.
import { mkdirSync, watch, type FSWatcher } from "node:fs";
import { dirname, join } from "node:path";
import type { CommitNote, ErrandRecord, Ledger } from "@chela/sdk";
import { importRuns, logPath, noteLogs } from "./import-runs.ts";
import { workOf, type CronHouse } from "../parts.ts";
import { toRunEntry } from "../run/run-entry.ts";
import { RunLogs } from "../run/run-log.ts";
import { writeStore } from "./store-file.ts";

export interface CronMirror {
  /** Writes what an earlier process could not write any more. */
  start(): Promise<void>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

type MirrorHouse = Pick<CronHouse, "ledger" | "clock" | "log" | "cronSettings" | "keys">;

interface MirrorParts {
  /** Takes over what others wrote into the file of jobs, and tells whether there was anything. */
  importStore(): Promise<boolean>;
  /** Jobs changed behind everybody's back. */
  imported(): void;
}

const WRITE_AFTER_MS = 500;
/** Writing the jobs may take a twentieth of the time. */
const SHARE = 20;
const AGAIN_MS = 10_000;
const LOOKED_BACK = 500;
/** Runs that end side by side are not written down in the order of their ends: one may be older than the newest that is logged. */
const OUT_OF_ORDER_MS = 60 * 60_000;
/** In the ledger: until when runs are in their logs. */
const LOGGED_UNTIL = "cron-runs-logged";

export function createMirror(house: MirrorHouse, parts: MirrorParts): CronMirror {
  const { ledger, clock, log } = house;
  const logs = new RunLogs();
  const runs = new Set<string>();
  const watchers: FSWatcher[] = [];
  let jobsChanged = false;
  let isNoticed = false;
  let cancel: (() => void) | undefined;
  let leave: (() => void) | undefined;
  let work: Promise<void> = Promise.resolve();

  function note({ commits }: CommitNote): void {
    for (const change of commits.flat()) {
      if (change.kind === "job-put" || change.kind === "job-delete") jobsChanged = true;
      if (change.kind === "errand-state" && change.state === "settled" && change.runId.startsWith("cron:"))
        runs.add(change.runId);
    }
    if (jobsChanged || runs.size > 0) plan(WRITE_AFTER_MS);
  }

  function plan(ms: number): void {
    cancel ??= clock.after(ms, () => {
      cancel = undefined;
      void flush();
    });
  }

  function flush(): Promise<void> {
    work = work.then(write).catch((error: unknown) => {
      log.warn("the files of jobs could not be written; the ledger has everything", { error: String(error) });
      jobsChanged = true;
      if (leave) plan(AGAIN_MS);
    });
    return work;
  }

  /** What another program wrote is read before it is written over, and when the directory says that it did. */
  async function lookAround(): Promise<void> {
    isNoticed = false;
    if (await parts.importStore()) parts.imported();
    await importRuns(house);
  }

  function watchFiles(): void {
    const directory = dirname(house.cronSettings().storePath);
    for (const place of [directory, join(directory, "runs")]) {
      try {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        watchers.push(watch(place, { persistent: false }, (_event, name) => noticed(name)));
      } catch (error) {
        // Changes of others are still seen before each write, and at the next start.
        log.debug("the files of jobs cannot be watched", { place, error: String(error) });
      }
    }
  }

  function noticed(name: string | null): void {
    if (name !== null && !/\.jsonl?$/.test(name)) return;
    isNoticed = true;
    plan(WRITE_AFTER_MS);
  }

  async function write(): Promise<void> {
    const { storePath } = house.cronSettings();
    if (isNoticed || jobsChanged) await lookAround();
    if (runs.size > 0) await logRuns([...runs]);
    if (!jobsChanged) return;
    jobsChanged = false;
    const began = performance.now();
    await writeStore(storePath, await ledger.jobs(), { ledger, log, now: clock.now() });
    const took = performance.now() - began;
    // Thousands of jobs make a large file: it is not written again at once.
    if (took * SHARE > WRITE_AFTER_MS && leave) plan(took * SHARE);
  }

  async function logRuns(runIds: readonly string[]): Promise<void> {
    const ended: ErrandRecord[] = [];
    for (const runId of runIds) {
      const run = await ledger.errand(runId);
      if (run) ended.push(run);
    }
    for (const runId of await logEnded(ended)) runs.delete(runId);
    for (const runId of runIds) runs.delete(runId);
    const until = Math.max(0, ...ended.map(({ settledAt = 0 }) => settledAt));
    if (until === 0) return;
    const logged = await noteLogs([...new Set(ended.map(({ owner }) => owner))], house);
    await ledger.commit([{ kind: "value-put", key: LOGGED_UNTIL, value: String(until) }, ...logged]);
  }

  /** Tells which are in the logs now: in one that is written anew, also those that ended meanwhile. */
  async function logEnded(ended: readonly ErrandRecord[]): Promise<string[]> {
    const { storePath, runLog } = house.cronSettings();
    const logged: string[] = [];
    const byJob = Map.groupBy(
      ended.filter((run) => workOf(run).kind !== "alert"),
      ({ owner }) => owner,
    );
    for (const [jobId, of] of byJob) {
      const path = logPath(storePath, jobId);
      // A log that was taken away is written anew.
      const all = (await logs.isThere(path)) ? of : await endedOf(ledger, jobId, runLog.keepLines);
      await logs.append(path, all.map(lineOf), runLog);
      logged.push(...all.map(({ runId }) => runId));
    }
    return logged;
  }

  return {
    async start() {
      leave = ledger.onCommit(note);
      jobsChanged = true;
      const until = Number((await ledger.value(LOGGED_UNTIL)) ?? 0);
      const last = await ledger.errands({ kind: "cron", states: ["settled"], limit: LOOKED_BACK });
      // A line that is there is not written again.
      for (const { runId, settledAt = 0 } of last) {
        if (settledAt >= until - OUT_OF_ORDER_MS && runId.startsWith("cron:")) runs.add(runId);
      }
      watchFiles();
      plan(WRITE_AFTER_MS);
    },
    flush,
    async stop() {
      for (const watcher of watchers.splice(0)) watcher.close();
      leave?.();
      leave = undefined;
      cancel?.();
      cancel = undefined;
      await flush();
    },
  };
}

async function endedOf(ledger: Ledger, owner: string, limit: number): Promise<ErrandRecord[]> {
  const newest = await ledger.errands({ kind: "cron", owner, states: ["settled"], limit });
  return newest.toReversed().filter((run) => workOf(run).kind !== "alert");
}

/** Without what is only true now, so that the same run is the same line whenever it is written. */
function lineOf(run: ErrandRecord): string {
  const { state: _state, ...entry } = toRunEntry(run);
  return JSON.stringify(entry);
}
