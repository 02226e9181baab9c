// Reads a transcript's entries as the conversation a model continues: the path from the newest entry to the root.
import { AgentMessage, type StoredEntry, type TranscriptEntry } from "@chela/sdk";

export interface Conversation {
  /** Id of the newest entry: the parent of the next one. */
  leafId: string | null;
  messages: AgentMessage[];
  /** For each message the id of the entry it comes from. */
  entryIds: string[];
  /** What the first message stands for, when it is the summary of what was before. */
  summary?: { readonly summary: string; readonly details?: unknown };
}

export interface ActivePath {
  /** Oldest first; ends with the newest entry. */
  readonly entries: readonly TranscriptEntry[];
  /** Whether its beginning is missing although some of what was read belongs to other branches. */
  readonly isTorn: boolean;
}

/** Branches that do not lead to the newest entry are left out; they stay in the transcript. */
export function activePath(stored: readonly StoredEntry[]): ActivePath {
  const all = stored.map(parseEntry);
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  const path: TranscriptEntry[] = [];
  let next = all.at(-1);
  while (next) {
    path.push(next);
    byId.delete(next.id);
    next = next.parentId ? byId.get(next.parentId) : undefined;
  }
  return { entries: path.reverse(), isTorn: path.length < all.length && Boolean(path[0]?.parentId) };
}

export function parseEntry({ line, value }: StoredEntry): TranscriptEntry {
  return (value ?? JSON.parse(line)) as TranscriptEntry;
}

export function toConversation(path: readonly TranscriptEntry[]): Conversation {
  const messages: AgentMessage[] = [];
  const entryIds: string[] = [];
  const entries = afterCompaction(path);
  const first = entries[0];
  for (const entry of entries) {
    for (const message of toMessages(entry)) {
      messages.push(message);
      entryIds.push(entry.id);
    }
  }
  const summary =
    first?.type === "compaction" ? { summary: { summary: String(first["summary"]), details: first["details"] } } : {};
  return { leafId: path.at(-1)?.id ?? null, messages, entryIds, ...summary };
}

/** A compaction stands for everything before its first kept entry. */
function afterCompaction(path: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  if (!compaction) return path;
  const firstKept = path.findIndex((entry) => entry.id === compaction["firstKeptEntryId"]);
  const kept = firstKept >= 0 && firstKept < at ? path.slice(firstKept, at) : [];
  const after = path.slice(at + 1);
  // The reminder written with a summary stands behind it, not behind the call the agent is in the middle of.
  const reminder = after[0]?.["customType"] === "chela.refresh" ? after.splice(0, 1) : [];
  return [compaction, ...reminder, ...kept.filter((entry) => entry.type !== "compaction"), ...after];
}

function toMessages(entry: TranscriptEntry): AgentMessage[] {
  const at = Date.parse(entry.timestamp) || 0;
  switch (entry.type) {
    case "message":
      return readMessage(entry["message"]);
    case "compaction":
    case "branch_summary":
      return [
        { role: "user", content: `Summary of the conversation so far:\n\n${String(entry["summary"])}`, timestamp: at },
      ];
    case "custom_message":
      return readMessage({ role: "user", content: entry["content"], timestamp: at });
    default:
      return [];
  }
}

/** Most entries were written by us: a look at them is enough. What looks odd goes through the schema, which repairs or drops it. */
function readMessage(value: unknown): AgentMessage[] {
  if (looksRight(value)) return [value];
  const message = AgentMessage().safeParse(value);
  return message.success ? [message.data] : [];
}

function looksRight(value: unknown): value is AgentMessage {
  const { role, content, timestamp, usage, toolCallId } = (value ?? {}) as Record<string, unknown>;
  if (typeof timestamp !== "number" || !Array.isArray(content) || !content.every(isKnownBlock)) return false;
  if (role === "user") return true;
  if (role === "toolResult") return typeof toolCallId === "string";
  const { totalTokens, cost } = (usage ?? {}) as Record<string, unknown>;
  return role === "assistant" && typeof totalTokens === "number" && typeof cost === "object" && cost !== null;
}

function isKnownBlock(block: unknown): boolean {
  const { type, text, thinking, data, name, arguments: args } = (block ?? {}) as Record<string, unknown>;
  switch (type) {
    case "text":
      return typeof text === "string";
    case "thinking":
      return typeof thinking === "string";
    case "image":
      return typeof data === "string";
    case "toolCall":
      return typeof name === "string" && typeof args === "object" && args !== null && !Array.isArray(args);
    default:
      return false;
  }
}
