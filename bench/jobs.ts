// Jobs for measuring: written as an earlier gateway leaves them, and their runs as the gateway tells them afterwards.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { State } from "./gateway-process.ts";
import type { WireClient } from "./wire-client.ts";

export interface Run {
  readonly jobId: string;
  /** Its instant, with the job's own place within the time that instants are spread over. */
  readonly dueAtMs: number;
  readonly runAtMs: number;
  readonly status?: string;
  readonly summary?: string;
}

export type MakeJob = (index: number, schedule: object) => object;

const PAGE = 200;
const LOOK_MS = 250;
const SECOND = 1000;

/** Tells its agent something at the next occasion: next to nothing but the schedule costs anything. */
export function eventJob(index: number, schedule: object): object {
  const payload = { kind: "systemEvent", text: `This is job ${index}.` };
  return { ...jobAt(index, schedule), sessionTarget: "main", wakeMode: "next-heartbeat", payload };
}

/** Has its agent answer, in a conversation of its own. */
export function turnJob(index: number, schedule: object): object {
  const payload = { kind: "agentTurn", message: `This is job ${index}.` };
  const delivery = { mode: "none" };
  return { ...jobAt(index, schedule), sessionTarget: "isolated", wakeMode: "now", payload, delivery };
}

function jobAt(index: number, schedule: object): object {
  return { id: `bench-${index}`, name: `Job ${index}`, enabled: true, schedule };
}

/** Once a day at this very second. */
export function dailyAt(at: number, staggerMs: number): object {
  const time = new Date(at);
  const expr = `${time.getUTCSeconds()} ${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
  return { kind: "cron", expr, tz: "UTC", ...(staggerMs > 0 ? { staggerMs } : {}) };
}

/** The next full second that is at least so far away. */
export function secondAfter(ms: number): number {
  return Math.ceil((Date.now() + ms) / SECOND) * SECOND;
}

export function writeJobs(
  { dir }: State,
  { count, schedule, make }: { readonly count: number; readonly schedule: object; readonly make: MakeJob },
): void {
  const createdAtMs = Date.now() - SECOND;
  const kept = { createdAtMs, updatedAtMs: createdAtMs, state: {} };
  const jobs = Array.from({ length: count }, (_, index) => ({ ...make(index, schedule), ...kept }));
  mkdirSync(join(dir, "cron"), { recursive: true });
  writeFileSync(join(dir, "cron", "jobs.json"), JSON.stringify({ version: 1, jobs }));
}

/** Waits until so many runs from this instant on are over, and reads them. */
export async function runsFrom(
  client: WireClient,
  dueFrom: number,
  wanted: { readonly count: number; readonly atMostMs: number },
): Promise<Run[]> {
  const until = performance.now() + wanted.atMostMs;
  for (;;) {
    const { total } = await askForRuns(client, dueFrom, { limit: 1, offset: 0 });
    if (total >= wanted.count) break;
    if (performance.now() > until) throw new Error(`only ${total} of ${wanted.count} jobs ran`);
    await sleep(LOOK_MS);
  }
  const runs: Run[] = [];
  for (;;) {
    const { entries } = await askForRuns(client, dueFrom, { limit: PAGE, offset: runs.length });
    runs.push(...entries);
    if (entries.length < PAGE) return runs;
  }
}

async function askForRuns(
  client: WireClient,
  dueFrom: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly entries: readonly Run[]; readonly total: number }> {
  const asked = { scope: "all", sortDir: "asc", dueFrom, ...page };
  return (await client.request("cron.runs", asked)) as unknown as { entries: Run[]; total: number };
}
