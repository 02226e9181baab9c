// Recent messages of XMPP: which are ours, what their senders call them, and who reacted how.
import { Recent } from "@chela/sdk/channel-kit";

export interface RecentMessages {
  noteOurs(messageId: string, ownId: string): void;
  isOurs(id: string): boolean;
  /** What we called a message of ours when we sent it; corrections name it so. */
  ownIdOf(messageId: string): string;
  noteMessage(chat: string, sender: string, ownId: string, messageId: string): void;
  messageIdOf(chat: string, sender: string, ownId: string): string;
  noteArchiveId(chat: string, messageId: string, archiveId: string): void;
  archiveIdOf(chat: string, messageId: string): string | undefined;
  noteReactions(chat: string, sender: string, on: string, emojis: readonly string[]): void;
  reactionsOf(chat: string, sender: string, on: string): readonly string[];
}

const MOST = 2000;

export function createRecentMessages(): RecentMessages {
  const ours = new Recent<string>(MOST);
  const messages = new Recent<string>(MOST);
  const archiveIds = new Recent<string>(MOST);
  const reactions = new Recent<readonly string[]>(MOST);
  return {
    noteOurs: (messageId, ownId) => {
      ours.set(messageId, ownId);
      ours.set(ownId, ownId);
    },
    isOurs: (id) => ours.has(id),
    ownIdOf: (messageId) => ours.get(messageId) ?? messageId,
    noteMessage: (chat, sender, ownId, messageId) => messages.set(keyOf(chat, sender, ownId), messageId),
    messageIdOf: (chat, sender, ownId) => messages.get(keyOf(chat, sender, ownId)) ?? ownId,
    noteArchiveId: (chat, messageId, archiveId) => archiveIds.set(keyOf(chat, messageId), archiveId),
    archiveIdOf: (chat, messageId) => archiveIds.get(keyOf(chat, messageId)),
    noteReactions: (chat, sender, on, emojis) => reactions.set(keyOf(chat, sender, on), emojis),
    reactionsOf: (chat, sender, on) => reactions.get(keyOf(chat, sender, on)) ?? [],
  };
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
