// Finds the chat an agent's turn belongs to.
import { defined } from "@chela/sdk/base";
import { conversationKind, type Ledger } from "@chela/sdk";
import type { Channels } from "../../rooms/channels/room.ts";
import { MessageBody } from "../message-body.ts";
import type { CurrentChat } from "./reach.ts";
import type { Actor } from "./request.ts";

/** Undefined when the conversation is led at our own door only. */
export async function findPlace(
  by: Extract<Actor, { kind: "agent" }>,
  { ledger, channels }: { readonly ledger: Ledger; readonly channels: Channels },
): Promise<CurrentChat | undefined> {
  const message = (await ledger.run(by.runId))?.message;
  const origin = message && MessageBody().safeParse(message.body).data?.origin;
  if (message && origin) {
    const { chat, target, messageId } = origin;
    const { channel, account } = message;
    const asked = messageId === undefined ? {} : { messageId };
    return { by: "message", channel, account, target: withoutGaps(target), chat, ...asked };
  }
  // Work for somebody who takes part in another's conversation has no chat there.
  const isTheirs = by.requester.standing === "owner" || ["direct", "group"].includes(conversationKind(by.sessionKey));
  return isTheirs ? lastPlace(by.sessionKey, ledger, channels) : undefined;
}

async function lastPlace(sessionKey: string, ledger: Ledger, channels: Channels): Promise<CurrentChat | undefined> {
  const { channel, to, accountId, threadId } = (await ledger.session(sessionKey))?.deliveryContext ?? {};
  if (!channel || !to || !channels.ids.includes(channel)) return undefined;
  const read = (await channels.channel(channel)).readTarget(to);
  if (read.kind !== "target") return undefined;
  const thread = threadId === undefined ? {} : { threadId: String(threadId) };
  const account = accountId ?? channels.defaultAccount(channel);
  return { by: "session", channel, account, target: { to, ...thread }, chat: read.chat };
}

function withoutGaps({ to, threadId }: { readonly to: string; readonly threadId?: string | undefined }) {
  return { to, ...defined({ threadId }) };
}
