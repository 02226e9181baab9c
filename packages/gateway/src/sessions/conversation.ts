// Reads a transcript's entries as the conversation a model continues: the path from the newest entry to the root.
import { AgentMessage, type StoredEntry, type TranscriptEntry } from "@chela/sdk";

export interface Conversation {
  /** Id of the newest entry: the parent of the next one. */
  leafId: string | null;
  messages: AgentMessage[];
}

export function readConversation(stored: readonly StoredEntry[]): Conversation {
  const entries = stored.map(({ line }) => JSON.parse(line) as TranscriptEntry);
  const path = pathToRoot(entries);
  return { leafId: entries.at(-1)?.id ?? null, messages: afterCompaction(path).flatMap(toMessages) };
}

/** Branches that do not lead to the newest entry are left out; they stay in the transcript. */
function pathToRoot(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: TranscriptEntry[] = [];
  for (let entry = entries.at(-1); entry; entry = entry.parentId ? byId.get(entry.parentId) : undefined) {
    path.push(entry);
    byId.delete(entry.id);
  }
  return path.reverse();
}

/** A compaction stands for everything before its first kept entry. */
function afterCompaction(path: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  if (!compaction) return path;
  const firstKept = path.findIndex((entry) => entry.id === compaction["firstKeptEntryId"]);
  const kept = firstKept >= 0 && firstKept < at ? path.slice(firstKept, at) : [];
  return [compaction, ...kept, ...path.slice(at + 1)];
}

function toMessages(entry: TranscriptEntry): AgentMessage[] {
  const at = Date.parse(entry.timestamp) || 0;
  switch (entry.type) {
    case "message": {
      const message = AgentMessage().safeParse(entry["message"]);
      return message.success ? [message.data] : [];
    }
    case "compaction":
    case "branch_summary":
      return [
        { role: "user", content: `Summary of the conversation so far:\n\n${String(entry["summary"])}`, timestamp: at },
      ];
    case "custom_message": {
      const message = AgentMessage().safeParse({ role: "user", content: entry["content"], timestamp: at });
      return message.success ? [message.data] : [];
    }
    default:
      return [];
  }
}
