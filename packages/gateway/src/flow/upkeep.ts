// Looks after conversations that grow long: notes are saved and the beginning is summarised before it no longer fits.
import {
  GatewayError,
  type InboxMessage,
  type ModelInfo,
  type RunOutcome,
  type RunRecord,
  type SessionEntry,
} from "@chela/sdk";
import {
  contextWindow,
  memoryFlushPrompts,
  needsCompaction,
  needsMemoryFlush,
  reserveTokensFor,
  type ContextSettings,
} from "../rooms/agent/room.ts";
import { compactSession } from "./turn/compact-session.ts";
import { MessageBody } from "./message-body.ts";
import type { StopCause } from "./turn/outcome.ts";
import type { TurnParts } from "./turn/parts.ts";
import { setStage } from "./turn/stage.ts";

export interface Chore {
  /** The same for the same need, so that it is met once. */
  readonly runId: string;
  readonly body: MessageBody;
}

/** What a session needs after a turn, if anything; notes are saved only for those who may know notes. Pure. */
export function choreFor(
  entry: SessionEntry,
  model: ModelInfo,
  settings: ContextSettings,
  { today, mayKnowNotes }: { readonly today: string; readonly mayKnowNotes: boolean },
): Chore | undefined {
  const window = contextWindow(settings, model);
  const reserveTokens = reserveTokensFor(settings.compaction, window);
  const totalTokens = entry.totalTokensFresh === false ? 0 : (entry.totalTokens ?? 0);
  const cycle = `${entry.sessionId}:${entry.compactionCount ?? 0}`;
  const { compactionCount, memoryFlushCompactionCount } = entry;
  const size = { totalTokens, window, reserveTokens, compactionCount, memoryFlushCompactionCount };
  if (mayKnowNotes && needsMemoryFlush(size, settings.memoryFlush)) {
    const { prompt, systemPrompt } = memoryFlushPrompts(settings.memoryFlush, today);
    return { runId: `flush:${cycle}`, body: { text: prompt, chore: { kind: "memory-flush", systemPrompt } } };
  }
  if (needsCompaction({ contextTokens: totalTokens, window, reserveTokens })) {
    // One attempt after each turn: what failed today may work tomorrow.
    return { runId: `compact:${cycle}:${entry.updatedAt}`, body: { text: "", chore: { kind: "compaction" } } };
  }
  return undefined;
}

/** Runs an admitted compaction. Its outcome says in one line what came of it. */
export async function runCompaction(record: RunRecord, parts: TurnParts, stop: AbortSignal): Promise<RunOutcome> {
  const { message } = record;
  const startedAt = parts.clock.steady();
  const deadline = new AbortController();
  const { timeoutMs } = parts.settings(message.agentId);
  const cancel = parts.clock.after(timeoutMs, () => deadline.abort("timeout"));
  try {
    const signal = AbortSignal.any([stop, deadline.signal]);
    const outcome = await compactNow(message, parts, signal, startedAt + timeoutMs);
    // A shutdown is no end: the next start takes it up.
    if (stop.reason === ("shutdown" satisfies StopCause) && outcome.meta?.["kind"] !== "compacted") {
      throw new GatewayError("TURN_FAILED", "the gateway is shutting down");
    }
    await parts.commit([{ kind: "turn-end", runId: message.runId, at: parts.clock.now(), outcome }]);
    return outcome;
  } finally {
    cancel();
  }
}

async function compactNow(
  message: InboxMessage,
  parts: TurnParts,
  signal: AbortSignal,
  deadlineAt: number,
): Promise<RunOutcome> {
  const body = MessageBody().parse(message.body);
  const entry = await parts.ledger.session(message.sessionKey);
  if (!entry) return { status: "ok", texts: [], meta: { kind: "kept", why: "There is no conversation yet." } };
  const stage = await setStage(message, body, entry, parts);
  const instructions = body.chore?.kind === "compaction" ? body.chore.instructions : undefined;
  const job = { message, stage, deadlineAt, signal, ...(instructions ? { instructions } : {}) };
  const done = await compactSession(job, parts);
  return { status: "ok", texts: [], meta: { ...done } };
}
