// Remembers messages we sent: Telegram does not say whose message somebody reacted to.
import type { ChannelHost } from "@chela/sdk";
import { Noted, RecentIds } from "@chela/sdk/channel-kit";

const NAME = "sent-messages";
const MOST = 500;
const WRITE_AFTER_MS = 5_000;

export interface SentMessages {
  add(chatId: string, messageId: string): void;
  has(chatId: string, messageId: string): boolean;
  close(): Promise<void>;
}

/** The last few hundred are enough, and losing the last seconds of them in a crash costs a reaction at most. */
export async function openSentMessages(host: ChannelHost): Promise<SentMessages> {
  const known = new RecentIds(MOST, (await host.recall(NAME))?.split(" ").filter(Boolean));
  const noted = new Noted(host, { name: NAME, afterMs: WRITE_AFTER_MS, read: () => known.list().join(" ") });
  return {
    add(chatId, messageId) {
      known.add(`${chatId}/${messageId}`);
      noted.changed();
    },
    has: (chatId, messageId) => known.has(`${chatId}/${messageId}`),
    close: () => noted.close(),
  };
}
