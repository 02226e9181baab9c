// Which messages are ours: Telegram does not say whose message somebody reacted to.
import type { ChannelHost } from "@chela/sdk";

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
  const known = new Set((await host.recall(NAME))?.split(" ").filter(Boolean));
  let cancel: (() => void) | undefined;
  const write = (): Promise<void> => {
    cancel = undefined;
    return host.remember(NAME, [...known].join(" "));
  };
  const writeLater = (): void => {
    cancel ??= host.clock.after(WRITE_AFTER_MS, () => {
      write().catch(() => host.log.debug("which messages are ours could not be written down"));
    });
  };
  return {
    add(chatId, messageId) {
      known.add(`${chatId}/${messageId}`);
      for (const oldest of known) {
        if (known.size <= MOST) break;
        known.delete(oldest);
      }
      writeLater();
    },
    has: (chatId, messageId) => known.has(`${chatId}/${messageId}`),
    async close() {
      if (!cancel) return;
      cancel();
      await write().catch(() => host.log.debug("which messages are ours could not be written down"));
    },
  };
}
