// The session entry after a turn: when, over which channel, with which model, at what cost. Pure.
import {
  conversationKind,
  type AssistantMessage,
  type InboxMessage,
  type ModelInfo,
  type SessionEntry,
} from "@chela/sdk";
import { isOwnWork, requesterOf, type MessageBody } from "../message-body.ts";
import type { Spending } from "./spending.ts";

export interface FinishedTurn {
  readonly message: InboxMessage;
  readonly body: MessageBody;
  /** Undefined when none could be chosen. */
  readonly model: ModelInfo | undefined;
  /** How much of the model's window is used. */
  readonly contextTokens: number | undefined;
  readonly answeredBy: AssistantMessage;
  readonly thinking: string | undefined;
  readonly spending: Spending;
  /** What its prompt was made of. */
  readonly promptReport: object | undefined;
  /** The skills it told of. */
  readonly skillsSnapshot: object | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: "done" | "failed" | "killed" | "timeout";
  readonly wasStopped: boolean;
}

/** A field of ours in the session entry, to know when the level changes. */
export const THINKING_OF_LAST_TURN = "lastThinkingLevel";

/** A field of ours: who wrote last, so that whose chat it is need not be guessed from its address. */
export const LAST_SENDER = "lastSenderId";

export function entryAfterTurn(entry: SessionEntry, turn: FinishedTurn): SessionEntry {
  const { channel, sessionKey } = turn.message;
  const { model, spending, body } = turn;
  if (body.chore) return entryAfterChore(entry, turn);
  return {
    ...entry,
    updatedAt: turn.endedAt,
    systemSent: true,
    abortedLastRun: turn.wasStopped,
    ...(isOwnWork(channel) || isVisitor(turn) ? {} : routeFields(entry, turn.message, body)),
    ...(model
      ? { modelProvider: model.provider, model: model.id, contextTokens: turn.contextTokens ?? model.contextWindow }
      : {}),
    ...fallbackNotice(model, turn.answeredBy),
    ...(turn.thinking === undefined ? {} : { [THINKING_OF_LAST_TURN]: turn.thinking }),
    ...(turn.promptReport ? { systemPromptReport: newerReport(entry.systemPromptReport, turn.promptReport) } : {}),
    ...(turn.skillsSnapshot ? { skillsSnapshot: newerSnapshot(entry.skillsSnapshot, turn.skillsSnapshot) } : {}),
    inputTokens: (entry.inputTokens ?? 0) + spending.total.input,
    outputTokens: (entry.outputTokens ?? 0) + spending.total.output,
    cacheRead: (entry.cacheRead ?? 0) + spending.total.cacheRead,
    cacheWrite: (entry.cacheWrite ?? 0) + spending.total.cacheWrite,
    ...(spending.last.totalTokens > 0
      ? { totalTokens: spending.promptTokens, totalTokensFresh: true }
      : { totalTokensFresh: entry.totalTokensFresh ?? false }),
    ...(body.keepsThinking && body.thinking ? { thinkingLevel: body.thinking } : {}),
    ...lastRun(turn),
    estimatedCostUsd: (entry.estimatedCostUsd ?? 0) + spending.total.cost.total,
    ...(body.label && !entry.label ? { label: body.label } : {}),
    ...(body.spawnedBy && sessionKey.includes(":subagent:") ? { spawnedBy: body.spawnedBy } : {}),
  };
}

/** Most prompts are like the one before: what stays the same to the byte needs not be written to the disk again. */
function newerReport(old: unknown, report: object): unknown {
  const isSame =
    JSON.stringify({ ...(old as object | undefined), generatedAt: 0 }) ===
    JSON.stringify({ ...report, generatedAt: 0 });
  return isSame ? old : report;
}

/** Its version says whether anything in it is another. */
function newerSnapshot(old: unknown, snapshot: object): unknown {
  const versionOf = (one: unknown) => (one as { readonly version?: unknown } | undefined)?.version;
  return versionOf(old) === versionOf(snapshot) ? old : snapshot;
}

/** How the turn went, as lists of sessions tell it. */
function lastRun({ startedAt, endedAt, status }: FinishedTurn): Partial<SessionEntry> {
  return { status, startedAt, endedAt, runtimeMs: endedAt - startedAt };
}

/** Somebody who takes part in a conversation that is not theirs: what is told there unasked is not for them. */
function isVisitor({ message, body }: FinishedTurn): boolean {
  const { sender, origin } = body;
  if (!origin || requesterOf(message, body).standing === "owner") return false;
  return sender !== undefined && !["direct", "group"].includes(conversationKind(message.sessionKey));
}

/** Where an answer would go next time. */
function routeFields(
  entry: SessionEntry,
  { channel, account }: InboxMessage,
  body: MessageBody,
): Partial<SessionEntry> {
  const accountField = account === "default" ? {} : { lastAccountId: account };
  const { origin } = body;
  if (!origin) {
    return {
      chatType: entry.chatType ?? "direct",
      origin: entry.origin ?? { provider: channel, surface: channel, chatType: "direct" },
      deliveryContext: entry.deliveryContext ?? { channel },
      lastChannel: channel,
      ...accountField,
    };
  }
  const { chat, target } = origin;
  const thread = target.threadId === undefined ? {} : { threadId: target.threadId };
  const isGroup = chat.kind !== "direct";
  return {
    chatType: chat.kind,
    channel,
    origin: {
      ...(body.sender?.name ? { label: body.sender.name } : {}),
      provider: channel,
      surface: channel,
      chatType: chat.kind,
      from: isGroup ? `${channel}:${chat.kind}:${chat.id}` : `${channel}:${body.sender?.id ?? chat.id}`,
      to: target.to,
      accountId: account,
      ...thread,
    },
    deliveryContext: { channel, to: target.to, accountId: account, ...thread },
    lastChannel: channel,
    lastTo: target.to,
    lastAccountId: account,
    lastThreadId: target.threadId,
    [LAST_SENDER]: body.sender?.id,
    ...(isGroup ? { groupId: chat.id, ...(chat.title ? { subject: chat.title } : {}) } : {}),
    ...(!isGroup && body.sender?.name ? { displayName: body.sender.name } : {}),
  };
}

/** The gateway's own work leaves no trace of a visitor: only what it cost and that it was done. */
function entryAfterChore(entry: SessionEntry, { spending, endedAt, body }: FinishedTurn): SessionEntry {
  const isFlush = body.chore?.kind === "memory-flush";
  return {
    ...entry,
    inputTokens: (entry.inputTokens ?? 0) + spending.total.input,
    outputTokens: (entry.outputTokens ?? 0) + spending.total.output,
    ...(spending.last.totalTokens > 0 ? { totalTokens: spending.promptTokens, totalTokensFresh: true } : {}),
    ...(isFlush ? { memoryFlushAt: endedAt, memoryFlushCompactionCount: entry.compactionCount ?? 0 } : {}),
  };
}

/** Says when another model than the chosen one answered; cleared when the chosen one is back. */
function fallbackNotice(model: ModelInfo | undefined, answer: AssistantMessage): Partial<SessionEntry> {
  const chosen = model && `${model.provider}/${model.id}`;
  const active = `${answer.provider}/${answer.model}`;
  if (!chosen || chosen === active || answer.stopReason === "error") {
    return { fallbackNoticeSelectedModel: undefined, fallbackNoticeActiveModel: undefined };
  }
  return { fallbackNoticeSelectedModel: chosen, fallbackNoticeActiveModel: active };
}
