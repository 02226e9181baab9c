// The session entry after a turn: when, over which channel, with which model, at what cost. Pure.
import type { InboxMessage, ModelInfo, SessionEntry } from "@chela/sdk";
import type { MessageBody } from "./message-body.ts";
import type { Spending } from "./turn-spending.ts";

export interface FinishedTurn {
  readonly message: InboxMessage;
  readonly body: MessageBody;
  /** Undefined when none could be chosen. */
  readonly model: ModelInfo | undefined;
  readonly spending: Spending;
  readonly endedAt: number;
  readonly wasStopped: boolean;
}

export function entryAfterTurn(entry: SessionEntry, turn: FinishedTurn): SessionEntry {
  const { channel, account, sessionKey } = turn.message;
  const { model, spending, body } = turn;
  return {
    ...entry,
    updatedAt: turn.endedAt,
    systemSent: true,
    abortedLastRun: turn.wasStopped,
    chatType: entry.chatType ?? "direct",
    origin: entry.origin ?? { provider: channel, surface: channel, chatType: "direct" },
    deliveryContext: entry.deliveryContext ?? { channel },
    lastChannel: channel,
    ...(account === "default" ? {} : { lastAccountId: account }),
    ...(model ? { modelProvider: model.provider, model: model.id, contextTokens: model.contextWindow } : {}),
    inputTokens: (entry.inputTokens ?? 0) + spending.total.input,
    outputTokens: (entry.outputTokens ?? 0) + spending.total.output,
    cacheRead: (entry.cacheRead ?? 0) + spending.total.cacheRead,
    cacheWrite: (entry.cacheWrite ?? 0) + spending.total.cacheWrite,
    ...(spending.last.totalTokens > 0
      ? { totalTokens: spending.promptTokens, totalTokensFresh: true }
      : { totalTokensFresh: entry.totalTokensFresh ?? false }),
    ...(body.label && !entry.label ? { label: body.label } : {}),
    ...(body.spawnedBy && sessionKey.includes(":subagent:") ? { spawnedBy: body.spawnedBy } : {}),
  };
}
