// Hands what Meta sent to the gateway, chat by chat and in order.
import { type ChannelEvent, type ChannelHost, OneAtATime } from "@chela/sdk";
import type { Called } from "./api.ts";
import type { WhatsAppCloudAccount } from "./config.ts";
import { parseMessage } from "./parse.ts";
import type { RecentInChats } from "./recent-in-chats.ts";
import { readStatus, type WireValue } from "./wire.ts";

/** Events of one chat are handed over in order; chats do not wait for each other. Rejects when one was not taken. */
export function createInbound(
  account: WhatsAppCloudAccount,
  host: ChannelHost,
  recent: RecentInChats,
  markRead: (messageId: string) => Promise<Called>,
): (values: readonly WireValue[]) => Promise<void> {
  const inOrder = new OneAtATime();
  const receive = async (event: ChannelEvent): Promise<void> => {
    const received = await host.receive(event);
    if (event.messageId && event.content.kind !== "reaction") recent.note(event.chat.id, event.messageId);
    const isToShow = received.kind === "accepted" && account.sendsReadReceipts && event.content.kind === "message";
    if (!isToShow || !event.messageId) return;
    // Nobody waits for it: Meta wants its answer soon.
    void markRead(event.messageId).then((called) => {
      if (called.kind === "failed") host.log.debug("a message could not be marked as read", { why: called.why });
    });
  };
  return async (values) => {
    host.alive();
    const ours = values.filter(({ metadata }) => metadata.phone_number_id === account.phoneNumberId);
    const events = ours.flatMap((value) => {
      logFailures(value, host);
      return (value.messages ?? []).flatMap((raw) => {
        const parsed = parseMessage(raw, { value, isTheirs: (id) => recent.has(id) });
        if (parsed.kind === "event") return [parsed.event];
        host.log.debug("a message was passed over", { why: parsed.why });
        return [];
      });
    });
    await Promise.all(events.map((event) => inOrder.run(event.chat.id, () => receive(event))));
  };
}

/** That a message was delivered or read is of no interest; that it was not, an operator wants to know. */
function logFailures({ statuses }: WireValue, host: ChannelHost): void {
  for (const raw of statuses ?? []) {
    const status = readStatus(raw);
    if (status?.status !== "failed") continue;
    const { code, title } = status.errors?.[0] ?? {};
    host.log.warn("WhatsApp could not deliver a message", { messageId: status.id, code, title });
  }
}
