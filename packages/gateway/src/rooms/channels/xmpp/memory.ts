// What we remember of messages for a while: which are ours, what their senders call them, and who reacted how.

export interface Memory {
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

export function createMemory(): Memory {
  const ours = new Map<string, string>();
  const messages = new Map<string, string>();
  const archiveIds = new Map<string, string>();
  const reactions = new Map<string, readonly string[]>();
  return {
    noteOurs: (messageId, ownId) => {
      put(ours, messageId, ownId);
      put(ours, ownId, ownId);
    },
    isOurs: (id) => ours.has(id),
    ownIdOf: (messageId) => ours.get(messageId) ?? messageId,
    noteMessage: (chat, sender, ownId, messageId) => put(messages, keyOf(chat, sender, ownId), messageId),
    messageIdOf: (chat, sender, ownId) => messages.get(keyOf(chat, sender, ownId)) ?? ownId,
    noteArchiveId: (chat, messageId, archiveId) => put(archiveIds, keyOf(chat, messageId), archiveId),
    archiveIdOf: (chat, messageId) => archiveIds.get(keyOf(chat, messageId)),
    noteReactions: (chat, sender, on, emojis) => put(reactions, keyOf(chat, sender, on), emojis),
    reactionsOf: (chat, sender, on) => reactions.get(keyOf(chat, sender, on)) ?? [],
  };
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** The oldest goes when there are too many. */
function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}
