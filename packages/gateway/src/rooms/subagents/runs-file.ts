// OpenClaw's file of sub-agents: written from the ledger soon after each change, and read once for what came before.
import { defined } from "@chela/sdk/base";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { agentOfSessionKey, once, type Change, type Errand, type ErrandOutcome, type ErrandRecord } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { IMPORTED, runsFile } from "./is-needed.ts";
import type { SubagentsParts, SubagentWorkHouse } from "./parts.ts";
import { archiveAt } from "./sweeper.ts";
import { workOf, type SubagentWork } from "./work.ts";

export interface RunsFile {
  /** What an earlier version left is taken into the ledger, once. */
  takeIn(): Promise<void>;
  /** Something changed. */
  touch(): void;
  close(): Promise<void>;
}

const WRITE_AFTER_MS = 500;
const MOST_RUNS = 200;
const SHOWN_MS = 24 * 3_600_000;

export function createRunsFile(house: SubagentWorkHouse, parts: Pick<SubagentsParts, "settings">): RunsFile {
  const { ledger, clock, log, paths } = house;
  const path = runsFile(paths.stateDir);
  let cancel: (() => void) | undefined;

  async function write(): Promise<void> {
    cancel = undefined;
    const errands = await ledger.errands({ kind: "subagent", limit: MOST_RUNS });
    const shown = errands.filter(({ state, endedAt = 0 }) => state !== "settled" || endedAt > clock.now() - SHOWN_MS);
    const runs = Object.fromEntries(shown.map((errand) => [errand.runId, toRun(errand, parts)]));
    writeFileAtomic(path, `${JSON.stringify({ version: 2, runs }, undefined, 2)}\n`);
  }
  const tryWrite = () =>
    write().catch((error: unknown) =>
      log.warn("the file of sub-agents could not be written", { error: String(error) }),
    );

  return {
    async takeIn() {
      if (await ledger.value(IMPORTED)) return;
      const seen: Change = { kind: "value-put", key: IMPORTED, value: "1" };
      const changes: Change[] = [];
      for (const run of readRuns(path, log)) {
        if (!(await ledger.errand(run.runId))) changes.push(...toChanges(run));
      }
      await ledger.commit([...changes, seen]);
    },
    touch: () => void (cancel ??= clock.after(WRITE_AFTER_MS, () => void tryWrite())),
    async close() {
      if (!cancel) return;
      cancel();
      await tryWrite();
    },
  };
}

const StoredRun = once(() =>
  z.looseObject({
    runId: z.string().min(1),
    childSessionKey: z.string().min(1),
    requesterSessionKey: z.string().min(1),
    task: z.string(),
    label: z.string().optional(),
    model: z.string().optional(),
    cleanup: z.enum(["keep", "delete"]).catch("keep"),
    createdAt: z.number(),
    startedAt: z.number().optional(),
    endedAt: z.number().optional(),
    archiveAtMs: z.number().optional().catch(undefined),
    outcome: z.looseObject({ status: z.string(), error: z.string().optional() }).optional(),
  }),
);
type StoredRun = z.infer<ReturnType<typeof StoredRun>>;

/** Nothing of a broken file is worth stopping for: it is history. */
function readRuns(path: string, log: SubagentWorkHouse["log"]): StoredRun[] {
  try {
    const file = z
      .looseObject({ runs: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(readFileSync(path, "utf8")));
    return Object.values(file.runs)
      .slice(0, MOST_RUNS)
      .flatMap((run) => StoredRun().safeParse(run).data ?? []);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") log.warn("an older list of sub-agents could not be read", { path });
    return [];
  }
}

function toChanges(run: StoredRun): Change[] {
  const { runId, childSessionKey, requesterSessionKey, task, label, model, cleanup, createdAt, archiveAtMs } = run;
  const work: SubagentWork = {
    task,
    depth: 1,
    cleanup,
    parent: {
      sessionKey: requesterSessionKey,
      agentId: agentOfSessionKey(requesterSessionKey) ?? "main",
      runId: "",
      toolCallId: "",
    },
    requester: { id: "" },
    tools: [],
    ...(label ? { label } : {}),
    ...(model ? { model } : {}),
    ...defined({ archiveAtMs }),
  };
  const errand: Errand = {
    runId,
    kind: "subagent",
    owner: requesterSessionKey,
    agentId: agentOfSessionKey(childSessionKey) ?? "main",
    sessionKey: childSessionKey,
    dueAt: createdAt,
    createdAt,
    work,
  };
  const endedAt = run.endedAt ?? run.startedAt ?? createdAt;
  return [
    { kind: "errand-add", errand },
    { kind: "errand-state", runId, state: "running", at: run.startedAt ?? createdAt },
    { kind: "errand-state", runId, state: "executed", at: endedAt, outcome: outcomeOf(run) },
    { kind: "errand-state", runId, state: "settled", at: endedAt, delivered: { status: "unknown" } },
  ];
}

function outcomeOf({ outcome, endedAt }: StoredRun): ErrandOutcome {
  if (endedAt === undefined) return { status: "killed", texts: [], reason: "unknown" };
  const error = outcome?.error ? { error: outcome.error } : {};
  switch (outcome?.status) {
    case "ok":
      return { status: "ok", texts: [] };
    case "error":
      return { status: "error", texts: [], ...error };
    case "timeout":
      return { status: "error", texts: [], reason: "timeout", ...error };
    default:
      return { status: "killed", texts: [], reason: "unknown" };
  }
}

const ENDED_REASONS: Readonly<Record<ErrandOutcome["status"], string>> = {
  ok: "subagent-complete",
  error: "subagent-error",
  skipped: "subagent-error",
  killed: "subagent-killed",
};

function toRun(errand: ErrandRecord, parts: Pick<SubagentsParts, "settings">): Record<string, unknown> {
  const { runId, sessionKey, owner, createdAt, startedAt, endedAt, settledAt, outcome } = errand;
  const { task, label, model, cleanup, timeoutSeconds = 0, place } = workOf(errand);
  const { reason } = outcome ?? {};
  const isOfSession = reason === "session-reset" || reason === "session-delete";
  return {
    runId,
    childSessionKey: sessionKey,
    requesterSessionKey: owner,
    requesterDisplayKey: owner,
    ...(place?.mode === "chat"
      ? {
          requesterOrigin: { channel: place.channel, to: place.to, accountId: place.account, threadId: place.threadId },
        }
      : {}),
    task,
    label,
    model,
    cleanup,
    spawnMode: "run",
    runTimeoutSeconds: timeoutSeconds,
    createdAt,
    startedAt,
    ...(outcome
      ? {
          endedAt,
          endedReason: isOfSession ? reason : ENDED_REASONS[outcome.status],
          outcome: { status: reason === "timeout" ? "timeout" : outcome.status, error: outcome.error },
        }
      : {}),
    ...(settledAt === undefined ? {} : { cleanupHandled: true, cleanupCompletedAt: settledAt }),
    archiveAtMs: archiveAt(errand, parts),
  };
}
