// Takes over the history of runs another program wrote: each line of a log becomes a run that is over.
import { defined } from "@chela/sdk/base";
import { readFile } from "node:fs/promises";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { once, type Change, type CronJob, type Ledger, type Parsed } from "@chela/sdk";
import { agentOf, ownKey } from "../run/build-run.ts";
import type { CronHouse, CronWork } from "../parts.ts";

type ImportHouse = Pick<CronHouse, "cronSettings" | "keys" | "ledger" | "log">;

/** In the ledger: how long each log was when it was read or written last. */
const SEEN = "cron-runs-seen";
const RUNS_AT_ONCE = 200;
const ID = /[^A-Za-z0-9._:-]/g;

const Line = once(() =>
  z.looseObject({
    ts: z.number(),
    action: z.literal("finished"),
    runId: z.string().optional(),
    status: z.enum(["ok", "error", "skipped"]),
    runAtMs: z.number().optional(),
    summary: z.string().optional(),
    error: z.string().optional(),
    sessionKey: z.string().optional(),
    sessionId: z.string().optional(),
    model: z.string().optional(),
    provider: z.string().optional(),
    delivered: z.boolean().optional(),
    deliveryStatus: z.enum(["delivered", "not-delivered", "not-requested", "unknown"]).optional(),
    deliveryError: z.string().optional(),
    usage: z.record(z.string(), z.number()).optional(),
  }),
);
type Line = Parsed<typeof Line>;

export const logPath = (storePath: string, jobId: string): string => join(dirname(storePath), "runs", `${jobId}.jsonl`);

/** Looks at the logs that are not as long as they were left. */
export async function importRuns(house: ImportHouse): Promise<void> {
  const { ledger, log } = house;
  const { storePath } = house.cronSettings();
  const seen = await readSeen(ledger);
  let taken = 0;
  let isChanged = false;
  for (const job of await ledger.jobs()) {
    const path = logPath(storePath, job.id);
    const size = sizeOf(path);
    if (size === undefined || seen[job.id] === size) continue;
    taken += await importLog(job, path, house);
    seen[job.id] = size;
    isChanged = true;
  }
  if (!isChanged) return;
  await ledger.commit([{ kind: "value-put", key: SEEN, value: JSON.stringify(seen) }]);
  if (taken > 0) log.info("runs of jobs were taken over from their logs", { runs: taken });
}

/** What was written by ourselves need not be read. */
export async function noteLogs(jobIds: readonly string[], { ledger, cronSettings }: ImportHouse): Promise<Change[]> {
  const seen = await readSeen(ledger);
  for (const id of jobIds) seen[id] = sizeOf(logPath(cronSettings().storePath, id)) ?? 0;
  return [{ kind: "value-put", key: SEEN, value: JSON.stringify(seen) }];
}

async function readSeen(ledger: Ledger): Promise<Record<string, number>> {
  const value = await ledger.value(SEEN);
  return value === undefined ? {} : (JSON.parse(value) as Record<string, number>);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

async function importLog(job: CronJob, path: string, house: ImportHouse): Promise<number> {
  const { ledger } = house;
  const lines = (await readFile(path, "utf8"))
    .split("\n")
    .filter(Boolean)
    .slice(-house.cronSettings().runLog.keepLines);
  let changes: Change[] = [];
  let taken = 0;
  for (const text of lines) {
    const line = Line().safeParse(parse(text)).data;
    if (!line || (line.runId !== undefined && (await ledger.errand(line.runId)))) continue;
    const runId = `past:${job.id}:${(line.runId ?? String(line.runAtMs ?? line.ts)).replace(ID, "_")}`;
    if (await ledger.errand(runId)) continue;
    changes.push(...toChanges(job, runId, line, house));
    taken += 1;
    if (changes.length < RUNS_AT_ONCE) continue;
    await ledger.commit(changes);
    changes = [];
  }
  if (changes.length > 0) await ledger.commit(changes);
  return taken;
}

function toChanges(job: CronJob, runId: string, line: Line, house: ImportHouse): Change[] {
  const { name, payload, wakeMode } = job;
  const agentId = agentOf(job, house);
  const dueAt = line.runAtMs ?? line.ts;
  const work: CronWork = { kind: "run", name, payload, wakeMode, trigger: "due", onCrash: "report" };
  const { status, summary, error, sessionId, model, provider } = line;
  const details = Object.entries({ sessionId, model, provider, usage: usageOf(line) });
  return [
    {
      kind: "errand-add",
      errand: {
        runId,
        kind: "cron",
        owner: job.id,
        agentId,
        sessionKey: line.sessionKey ?? ownKey(job, agentId),
        dueAt,
        createdAt: dueAt,
        work: { ...work },
      },
    },
    { kind: "errand-state", runId, state: "running", at: dueAt },
    {
      kind: "errand-state",
      runId,
      state: "settled",
      at: line.ts,
      outcome: {
        status,
        texts: summary === undefined ? [] : [summary],
        ...defined({ error }),
        details: Object.fromEntries(details.filter(([, value]) => value !== undefined)),
      },
      delivered: {
        status: line.deliveryStatus ?? (line.delivered === true ? "delivered" : "unknown"),
        ...(line.deliveryError === undefined ? {} : { error: line.deliveryError }),
      },
    },
  ];
}

function usageOf({ usage }: Line): Record<string, number> | undefined {
  if (!usage) return undefined;
  const { input_tokens: input = 0, output_tokens: output = 0, total_tokens: total = 0 } = usage;
  return {
    input,
    output,
    total,
    cacheRead: usage["cache_read_tokens"] ?? 0,
    cacheWrite: usage["cache_write_tokens"] ?? 0,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
