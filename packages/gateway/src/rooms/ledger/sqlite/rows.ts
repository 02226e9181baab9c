// Rows of the ledger's tables as the values the seam promises.
import type {
  Aside,
  HistoryEntry,
  OutboxItem,
  RunRecord,
  RunState,
  RunSummary,
  ToolCallRecord,
  Transcript,
} from "@chela/sdk";
import type { Get } from "./apply-change.ts";
import { readOutcome } from "./outcome-text.ts";

export type SqlRow = Record<string, string | number | null>;

/** The number of a transcript's newest entry: looked up, because writing it down would cost a page with every turn. */
export const LAST_SEQ = "(SELECT coalesce(max(seq), 0) FROM entries WHERE transcript = transcripts.id)";
export const TRANSCRIPT_COLUMNS = `transcripts.*, ${LAST_SEQ} AS last_seq`;

const STATES: readonly RunState[] = ["queued", "running", "done"];

export function toRunRecord(row: SqlRow, get: Get): RunRecord {
  return {
    message: {
      runId: String(row["run_id"]),
      channel: String(row["channel"]),
      account: String(row["account"]),
      messageId: String(row["message_id"]),
      agentId: String(row["agent_id"]),
      sessionKey: String(row["session_key"]),
      body: JSON.parse(String(row["body"])),
      admittedAt: Number(row["admitted_at"]),
    },
    state: STATES[Number(row["state"])] ?? "queued",
    ...(row["session_id"] ? { sessionId: String(row["session_id"]) } : {}),
    ...(row["started_at"] === null ? {} : { startedAt: Number(row["started_at"]) }),
    ...(row["ended_at"] === null ? {} : { endedAt: Number(row["ended_at"]) }),
    ...(row["outcome"] === null ? {} : { outcome: readOutcome(String(row["outcome"]), get) }),
  };
}

export function toRunSummary(row: SqlRow, get: Get): RunSummary {
  return {
    runId: String(row["run_id"]),
    channel: String(row["channel"]),
    agentId: String(row["agent_id"]),
    sessionKey: String(row["session_key"]),
    admittedAt: Number(row["admitted_at"]),
    state: STATES[Number(row["state"])] ?? "queued",
    ...(row["started_at"] === null ? {} : { startedAt: Number(row["started_at"]) }),
    ...(row["ended_at"] === null ? {} : { endedAt: Number(row["ended_at"]) }),
    text: String(row["text"] ?? ""),
    ...(row["outcome"] === null ? {} : { outcome: readOutcome(String(row["outcome"]), get) }),
  };
}

export function toTranscript(row: SqlRow): Transcript {
  return {
    sessionId: String(row["session_id"]),
    sessionKey: String(row["session_key"]),
    agentId: String(row["agent_id"]),
    header: JSON.parse(String(row["header"])),
    file: String(row["file"]),
    lastSeq: Number(row["last_seq"]),
    cutSeq: Number(row["cut_seq"]),
    ...(row["mirrored_file"] === null ? {} : { mirroredFile: String(row["mirrored_file"]) }),
    ...(typeof row["mirrored_size"] === "number" ? { mirroredSize: row["mirrored_size"] } : {}),
    ...(row["archived_reason"] === null
      ? {}
      : { archived: { reason: row["archived_reason"] as "reset" | "deleted", at: Number(row["archived_at"]) } }),
  };
}

export function toHistoryEntry(row: SqlRow, line: string): HistoryEntry {
  return {
    seq: Number(row["seq"]),
    line,
    sessionId: String(row["session_id"]),
    sessionKey: String(row["session_key"]),
    agentId: String(row["agent_id"]),
    ...(row["archived_reason"] === null ? {} : { archived: row["archived_reason"] as "reset" | "deleted" }),
  };
}

export function toOutboxItem(row: SqlRow): OutboxItem {
  return {
    id: String(row["id"]),
    runId: String(row["run_id"]),
    channel: String(row["channel"]),
    account: String(row["account"]),
    to: String(row["recipient"]),
    payload: JSON.parse(String(row["payload"])),
    createdAt: Number(row["created_at"]),
    ...(row["updated_at"] === null ? {} : { updatedAt: Number(row["updated_at"]) }),
    attempts: Number(row["attempts"]),
    state: row["state"] as OutboxItem["state"],
    ...(row["receipt"] ? { receipt: JSON.parse(String(row["receipt"])) } : {}),
    ...(row["error"] ? { error: String(row["error"]) } : {}),
  };
}

export function toAside(row: SqlRow): Aside {
  return {
    seq: Number(row["seq"]),
    sessionKey: String(row["session_key"]),
    kind: row["kind"] as Aside["kind"],
    key: String(row["key"]),
    at: Number(row["at"]),
    body: JSON.parse(String(row["body"])),
  };
}

export function toToolCall(row: SqlRow): ToolCallRecord {
  return {
    toolCallId: String(row["tool_call_id"]),
    name: String(row["name"]),
    startedAt: Number(row["started_at"]),
    ...(row["ended_at"] === null ? {} : { endedAt: Number(row["ended_at"]), isError: row["is_error"] === 1 }),
  };
}
