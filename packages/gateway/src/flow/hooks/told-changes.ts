// What hooks are told of changes that were committed: conversations that began and ended, and messages that were sent.
import type { Change, HookContexts, HookSignal, OutboxItem } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { sentText } from "./contexts.ts";

type ChangeHouse = Pick<House, "keys" | "ledger" | "startedAt">;

/** Runs of what hooks say. They hear nothing of it, or one that answers what was sent would go on for ever. */
export const OWN_RUN = "hook-says:";
export const CHANGES_TOLD: ReadonlySet<Change["kind"]> = new Set([
  "transcript-open",
  "transcript-archive",
  "outbox-state",
]);

/** Looked up when the change is told: what it is about may be gone later. */
export async function signalOfChange(change: Change, house: ChangeHouse): Promise<HookSignal | undefined> {
  const { ledger, startedAt } = house;
  if (change.kind === "transcript-open") {
    const { sessionId, sessionKey, agentId, header } = change;
    // What an import brings began long ago.
    if (Date.parse(header.timestamp) < startedAt) return undefined;
    return { name: "session:start", sessionKey, context: { agentId, sessionId } };
  }
  if (change.kind === "transcript-archive") {
    const { sessionId, reason, entry } = change;
    const transcript = await ledger.transcript(sessionId);
    if (!transcript) return undefined;
    const { sessionKey, agentId } = transcript;
    const context = { agentId, sessionId, reason, ...(entry ? { sessionEntry: entry } : {}) };
    return { name: "session:end", sessionKey, context };
  }
  if (change.kind === "outbox-state" && change.state !== "pending") {
    const item = await ledger.delivery(change.id);
    if (item && !item.runId.startsWith(OWN_RUN)) return signalOfSent(item, house);
  }
  return undefined;
}

async function signalOfSent(item: OutboxItem, { ledger, keys }: ChangeHouse): Promise<HookSignal> {
  const message = (await ledger.run(item.runId))?.message;
  const sessionKey = message?.sessionKey ?? "";
  const context: HookContexts["message:sent"] = {
    agentId: message?.agentId ?? keys().defaultAgentId,
    to: item.to,
    content: sentText(item.payload),
    channelId: item.channel,
    accountId: item.account,
    conversationId: item.to,
    ...(item.receipt ? { messageId: item.receipt.messageId } : {}),
    success: item.state === "delivered",
    ...(item.error ? { error: item.error } : {}),
  };
  return { name: "message:sent", sessionKey, context };
}
