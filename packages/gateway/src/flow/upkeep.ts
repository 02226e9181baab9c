// Looks after conversations that grow long: notes are saved and the beginning is summarised before it no longer fits.
import {
  GatewayError,
  rightsOf,
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
import { findRequester } from "./turn/initiator.ts";
import { turnSettings, type TurnKit } from "./turn/kit.ts";
import { setStage } from "./turn/stage.ts";

interface Chore {
  /** The same for the same need, so that it is met once. */
  readonly runId: string;
  readonly body: MessageBody;
}

/** What a session needs after a turn, if anything; notes are saved only for those who may know notes. Pure. */
function choreFor(
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

/** The turn is over and its session is as given: what it needs now is admitted like any message. */
export async function lookAfter(
  message: InboxMessage,
  entry: SessionEntry,
  model: ModelInfo,
  { house, contextOf }: TurnKit,
): Promise<void> {
  const { agentId, sessionKey, body } = message;
  const today = new Date(house.clock.now()).toISOString().slice(0, 10);
  const requester = await findRequester(message, MessageBody().parse(body), house.ledger);
  const mayKnowNotes = rightsOf(requester, sessionKey).notes;
  const chore = choreFor(entry, model, contextOf(agentId), { today, mayKnowNotes });
  if (chore) await house.inbound.chore({ runId: chore.runId, agentId, sessionKey, body: chore.body });
}

/** Runs an admitted compaction. Its outcome says in one line what came of it. */
export async function runCompaction(record: RunRecord, kit: TurnKit, stop: AbortSignal): Promise<RunOutcome> {
  const { message } = record;
  const startedAt = kit.house.clock.steady();
  const deadline = new AbortController();
  const { timeoutMs } = turnSettings(kit, message.agentId);
  const cancel = kit.house.clock.after(timeoutMs, () => deadline.abort("timeout"));
  try {
    const signal = AbortSignal.any([stop, deadline.signal]);
    const outcome = await compactNow(message, kit, signal, startedAt + timeoutMs);
    // A shutdown is no end: the next start takes it up.
    if (stop.reason === ("shutdown" satisfies StopCause) && outcome.meta?.["kind"] !== "compacted") {
      throw new GatewayError("TURN_FAILED", "the gateway is shutting down");
    }
    await kit.commit([{ kind: "turn-end", runId: message.runId, at: kit.house.clock.now(), outcome }]);
    return outcome;
  } finally {
    cancel();
  }
}

async function compactNow(
  message: InboxMessage,
  kit: TurnKit,
  signal: AbortSignal,
  deadlineAt: number,
): Promise<RunOutcome> {
  const body = MessageBody().parse(message.body);
  const entry = await kit.house.ledger.session(message.sessionKey);
  if (!entry) return { status: "ok", texts: [], meta: { kind: "kept", why: "There is no conversation yet." } };
  const stage = await setStage(message, body, entry, kit);
  const instructions = body.chore?.kind === "compaction" ? body.chore.instructions : undefined;
  const job = { message, stage, deadlineAt, signal, ...(instructions ? { instructions } : {}) };
  const done = await compactSession(job, kit);
  return { status: "ok", texts: [], meta: { ...done } };
}
