// What a gateway left of its jobs, read without any of its code: the ledger's rows, the files beside it, and what was said.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { iso, type Evidence } from "./cron-model-state.ts";
import type { Json } from "../wire-client.ts";

interface Run {
  readonly runId: string;
  readonly jobId: string;
  readonly dueAt: number;
  readonly state: string;
  readonly status: string;
  readonly work: Json;
  readonly outcome: Json;
  readonly delivered: string;
}

function query(path: string, sql: string): Array<Record<string, unknown>> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

export interface LeftOver extends Evidence {
  /** Runs in this state. */
  runsIn(state: "running" | "executed"): readonly string[];
}

export function readEvidence(ledgerPath: string): LeftOver {
  const runs = query(ledgerPath, "SELECT run_id, state FROM errands WHERE kind = 'cron'");
  const states = new Map(runs.map(({ run_id: runId, state }) => [String(runId), String(state)]));
  const turns = query(ledgerPath, "SELECT run_id FROM turns WHERE ended_at IS NOT NULL AND run_id LIKE 'cron:%'");
  const answered = new Set(turns.map(({ run_id: runId }) => String(runId)));
  const jobs = new Map(readJobs(ledgerPath).map((job) => [String(job["id"]), job["state"] as Json]));
  return {
    stateOf: (runId) => states.get(runId),
    isAnswered: (runId) => answered.has(runId),
    cursorOf: (jobId) => Number(jobs.get(jobId)?.["cursorMs"] ?? -Infinity),
    isHeld: (jobId, runId) => jobs.get(jobId)?.["runningId"] === runId,
    runsIn: (wanted) => [...states].flatMap(([runId, state]) => (state === wanted ? [runId] : [])),
  };
}

function readJobs(ledgerPath: string): Json[] {
  return query(ledgerPath, "SELECT job FROM jobs ORDER BY id").map(({ job }) => JSON.parse(String(job)) as Json);
}

function readRuns(ledgerPath: string): Run[] {
  return query(ledgerPath, "SELECT * FROM errands WHERE kind = 'cron' ORDER BY seq").map((row) => ({
    runId: String(row["run_id"]),
    jobId: String(row["owner"]),
    dueAt: Number(row["due_at"]),
    state: String(row["state"]),
    status: String(row["status"]),
    work: JSON.parse(String(row["work"])) as Json,
    outcome: JSON.parse(String(row["outcome"] ?? "{}")) as Json,
    delivered: String(row["delivery_status"]),
  }));
}

/** For whoever looks for the reason of a failure. */
export function describeJob(ledgerPath: string, id: string): string {
  const job = readJobs(ledgerPath).find((one) => one["id"] === id);
  const runs = readRuns(ledgerPath).filter(({ jobId }) => jobId === id);
  const last = runs.slice(-4).map(({ runId, state, status, work }) => [runId, state, status, work["kind"]].join(" "));
  return JSON.stringify({ state: job?.["state"], last });
}

/** Each run and each note of what did not run, as a sentence; sorted. */
export function rowsOf(ledgerPath: string): string[] {
  const runs = readRuns(ledgerPath);
  const byId = new Map(runs.map((run) => [run.runId, run]));
  return runs.map((run) => sentenceOf(run, byId)).toSorted();
}

function sentenceOf({ runId, dueAt, state, status, work, outcome, delivered }: Run, byId: Map<string, Run>): string {
  const name = String(work["name"]);
  if (state !== "settled") return `${name} ${iso(dueAt)} is ${state}`;
  if (work["kind"] === "alert") {
    const about = String(work["runId"]);
    const isOnce = runId === `${about}:alert` && delivered === "delivered";
    return `${name} alert for ${iso(byId.get(about)?.dueAt ?? 0)}${isOnce ? "" : ` ${delivered}`}`;
  }
  if (work["kind"] === "skipped") {
    const { reason, count, first, last } = work;
    return `${name} ${reason}: ${count} from ${iso(Number(first))} to ${iso(Number(last))}`;
  }
  const details = (outcome["details"] ?? {}) as Json;
  const executed = details["executed"] ?? status;
  return `${name} ${iso(dueAt)} executed ${executed} (${outcome["reason"] ?? "-"}), ${delivered}`;
}

/** Whether OpenClaw's files say what the ledger says. */
export function findFileFaults(stateDir: string, ledgerPath: string): string[] {
  const directory = join(stateDir, "cron");
  const { jobs } = JSON.parse(readFileSync(join(directory, "jobs.json"), "utf8")) as { jobs: Json[] };
  const faults: string[] = [];
  const kept = new Map(jobs.map((job) => [String(job["id"]), job]));
  const known = readJobs(ledgerPath);
  for (const job of known) {
    const [ours, theirs] = [essence(job), essence(kept.get(String(job["id"])) ?? {})];
    if (ours !== theirs) faults.push(`jobs.json says ${theirs}, the ledger says ${ours}`);
  }
  if (kept.size !== known.length) faults.push(`jobs.json has ${kept.size} jobs, the ledger has ${known.length}`);
  const logged = Map.groupBy(
    readRuns(ledgerPath).filter(({ work }) => work["kind"] !== "alert"),
    ({ jobId }) => jobId,
  );
  for (const [jobId, runs] of logged) faults.push(...findLogFaults(join(directory, "runs", `${jobId}.jsonl`), runs));
  const files = readdirSync(join(directory, "runs")).filter((name) => !logged.has(name.replace(".jsonl", "")));
  return [...faults, ...files.map((name) => `nobody knows of runs/${name}`)];
}

function essence({ name, enabled, schedule, state }: Json): string {
  const { nextRunAtMs, lastRunStatus } = (state ?? {}) as Json;
  return JSON.stringify([name, enabled, schedule, nextRunAtMs, lastRunStatus]);
}

function findLogFaults(path: string, runs: readonly Run[]): string[] {
  if (!existsSync(path)) return [`${path} is not there`];
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const logged = lines.map((line) => {
    const { runId, dueAtMs, status, deliveryStatus } = JSON.parse(line) as Json;
    return `${runId} ${dueAtMs} ${status} ${deliveryStatus}`;
  });
  const known = runs.map(({ runId, dueAt, status, delivered }) => `${runId} ${dueAt} ${status} ${delivered}`);
  const missing = known.filter((line) => !logged.includes(line)).map((line) => `not in the log: ${line}`);
  const twice = logged.filter((line, index) => logged.indexOf(line) !== index).map((line) => `twice: ${line}`);
  const extra = logged.filter((line) => !known.includes(line)).map((line) => `only in the log: ${line}`);
  return [...missing, ...twice, ...extra];
}

/** How often each result stands in the main conversation, by the name of its job. */
export function countSaid(ledgerPath: string): Map<string, number> {
  const sql = `SELECT line FROM entries JOIN transcripts ON transcripts.id = entries.transcript
    WHERE transcripts.session_key = 'agent:main:main' AND line LIKE '%result of %'`;
  const counts = new Map<string, number>();
  for (const { line } of query(ledgerPath, sql)) {
    const { message } = JSON.parse(String(line)) as { message?: { role: string; content: unknown } };
    const [, name] = /result of ([\w-]+)/.exec(JSON.stringify(message?.content)) ?? [];
    if (message?.role === "assistant" && name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
