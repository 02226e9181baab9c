// Rows of the ledger's tables as the values the seam promises. Each table says here what its columns must be.
import {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  CronJob,
  DeliveryReceipt,
  ERRAND_STATES,
  ErrandDelivered,
  ErrandDelivery,
  ErrandOutcome,
  Person,
  RUN_STATES,
  RunOutcome,
  SessionEntry,
  TranscriptHeader,
  type ArchivedSession,
  type Aside,
  type AuditRecord,
  type ErrandKind,
  type ErrandRecord,
  type HistoryEntry,
  type OutboxItem,
  type RunRecord,
  type RunState,
  type RunSummary,
  type SessionRow,
  type ToolCallRecord,
  type Transcript,
} from "@chela/sdk";
import {
  flag,
  integer,
  json,
  jsonObject,
  number,
  oneOf,
  optional,
  rowReader,
  text,
  type Column,
  type StoredRow,
} from "@chela/sdk/rows";
import type { Get } from "./apply-change.ts";
import { wholeEntry } from "./entry-text.ts";
import { wholeOutcome } from "./outcome-text.ts";

/** The number of a transcript's newest entry: looked up, because writing it down would cost a page with every turn. */
export const LAST_SEQ = "(SELECT coalesce(max(seq), 0) FROM entries WHERE transcript = transcripts.id)";
export const TRANSCRIPT_COLUMNS = `transcripts.*, ${LAST_SEQ} AS last_seq`;

const ENDINGS = ["reset", "deleted"] as const;

const inboxRow = rowReader(
  { table: "inbox", named: "run_id" },
  {
    runId: text("run_id"),
    channel: text("channel"),
    account: text("account"),
    messageId: text("message_id"),
    agentId: text("agent_id"),
    sessionKey: text("session_key"),
    body: jsonObject("body"),
    admittedAt: number("admitted_at"),
  },
);
const stateRow = rowReader({ table: "inbox", named: "run_id" }, { state: runState("state") });
const summaryRow = rowReader(
  { table: "inbox", named: "run_id" },
  {
    runId: text("run_id"),
    channel: text("channel"),
    agentId: text("agent_id"),
    sessionKey: text("session_key"),
    admittedAt: number("admitted_at"),
    state: runState("state"),
    text: optional(text("text")),
  },
);
/** All of it is empty for a message that waits. */
const turnRow = rowReader(
  { table: "turns", named: "run_id" },
  {
    sessionId: optional(text("session_id")),
    startedAt: optional(number("started_at")),
    endedAt: optional(number("ended_at")),
    outcome: optional(json("outcome", RunOutcome)),
  },
);
const sessionRow = rowReader(
  { table: "sessions", named: "key" },
  { key: text("key"), entry: json("entry", SessionEntry), createdAt: number("created_at") },
);
const transcriptRow = rowReader(
  { table: "transcripts", named: "session_id" },
  {
    sessionId: text("session_id"),
    sessionKey: text("session_key"),
    agentId: text("agent_id"),
    header: json("header", TranscriptHeader),
    file: text("file"),
    cutSeq: integer("cut_seq"),
    mirroredFile: optional(text("mirrored_file")),
    mirroredSize: optional(number("mirrored_size")),
  },
);
const endingRow = rowReader(
  { table: "transcripts", named: "session_id" },
  { reason: optional(oneOf("archived_reason", ENDINGS)), at: optional(number("archived_at")) },
);
const archivedRow = rowReader(
  { table: "transcripts", named: "session_id" },
  { entry: optional(json("archived_entry", SessionEntry)), entries: integer("entry_count") },
);
const historyRow = rowReader(
  { table: "transcripts", named: "session_id" },
  {
    seq: integer("seq"),
    sessionId: text("session_id"),
    sessionKey: text("session_key"),
    agentId: text("agent_id"),
    archived: optional(oneOf("archived_reason", ENDINGS)),
  },
);

export const toOutboxItem: (row: StoredRow) => OutboxItem = rowReader(
  { table: "outbox", named: "id" },
  {
    id: text("id"),
    runId: text("run_id"),
    channel: text("channel"),
    account: text("account"),
    to: text("recipient"),
    payload: jsonObject("payload"),
    createdAt: number("created_at"),
    updatedAt: optional(number("updated_at")),
    attempts: integer("attempts"),
    state: oneOf("state", ["pending", "delivered", "undeliverable"]),
    receipt: optional(json("receipt", DeliveryReceipt)),
    error: optional(text("error")),
  },
);

export const toAside: (row: StoredRow) => Aside = rowReader(
  { table: "asides", named: "seq" },
  {
    seq: integer("seq"),
    sessionKey: text("session_key"),
    kind: oneOf("kind", ["note", "heard"]),
    key: text("key"),
    at: number("at"),
    body: jsonObject("body"),
  },
);

const toolCallRow = rowReader(
  { table: "tool_calls", named: "tool_call_id" },
  {
    toolCallId: text("tool_call_id"),
    name: text("name"),
    startedAt: number("started_at"),
    endedAt: optional(number("ended_at")),
    isError: optional(flag("is_error")),
  },
);

export const toErrand: (row: StoredRow) => ErrandRecord = rowReader(
  { table: "errands", named: "run_id" },
  {
    seq: integer("seq"),
    runId: text("run_id"),
    // One of another version is no damage: whoever carries errands out says what is known here.
    kind: text("kind") as Column<ErrandKind>,
    owner: text("owner"),
    agentId: text("agent_id"),
    sessionKey: text("session_key"),
    dueAt: number("due_at"),
    createdAt: number("created_at"),
    work: jsonObject("work"),
    state: oneOf("state", ERRAND_STATES),
    delivery: optional(json("delivery", ErrandDelivery)),
    startedAt: optional(number("started_at")),
    endedAt: optional(number("ended_at")),
    settledAt: optional(number("settled_at")),
    outcome: optional(json("outcome", ErrandOutcome)),
    delivered: optional(json("delivered", ErrandDelivered)),
  },
);

const jobRow = rowReader({ table: "jobs", named: "id" }, { job: json("job", CronJob) });
const personRow = rowReader({ table: "people", named: "id" }, { person: json("person", Person) });

/** Its details are read apart: a text that is not written as we write it is somebody else's, and is shown as it is. */
export const auditRow: (row: StoredRow) => Omit<AuditRecord, "detail"> & { readonly detail: string } = rowReader(
  { table: "audit", named: "seq" },
  {
    seq: integer("seq"),
    at: number("at"),
    action: oneOf("action", AUDIT_ACTIONS),
    actor: text("actor"),
    target: text("target"),
    outcome: oneOf("outcome", AUDIT_OUTCOMES),
    agentId: optional(text("agent_id")),
    sessionKey: optional(text("session_key")),
    channel: optional(text("channel")),
    traceId: optional(text("trace_id")),
    detail: text("detail"),
    hash: text("hash"),
  },
);

export const toJob = (row: StoredRow): CronJob => jobRow(row).job;
export const toPerson = (row: StoredRow): Person => personRow(row).person;

export function toSession(row: StoredRow, get: Get): SessionRow {
  const { entry, ...found } = sessionRow(row);
  return { ...found, entry: wholeEntry(entry, get) };
}

export function toRunRecord(row: StoredRow, get: Get): RunRecord {
  return { message: inboxRow(row), ...stateRow(row), ...toTurn(row, get) };
}

export function toRunSummary(row: StoredRow, get: Get): RunSummary {
  return { text: "", ...summaryRow(row), ...toTurn(row, get) };
}

function toTurn(row: StoredRow, get: Get): Omit<RunRecord, "message" | "state"> {
  const { sessionId, outcome, ...times } = turnRow(row);
  return {
    // A run that ended before it began belongs to none.
    ...(sessionId ? { sessionId } : {}),
    ...times,
    ...(outcome ? { outcome: wholeOutcome(outcome, get) } : {}),
  };
}

export function toTranscript(row: StoredRow): Transcript {
  const { reason, at } = endingRow(row);
  return {
    ...transcriptRow(row),
    lastSeq: Number(row["last_seq"]),
    ...(reason === undefined ? {} : { archived: { reason, at: at ?? 0 } }),
  };
}

/** What is asked of transcripts that have ended; undefined for one that has not. */
export function toArchived(row: StoredRow): ArchivedSession {
  const { archived, ...transcript } = toTranscript(row);
  return { transcript: { ...transcript, archived: archived ?? { reason: "deleted", at: 0 } }, ...archivedRow(row) };
}

export function toHistoryEntry(row: StoredRow, line: string): HistoryEntry {
  return { ...historyRow(row), line };
}

export function toToolCall(row: StoredRow): ToolCallRecord {
  const { isError = false, ...call } = toolCallRow(row);
  return call.endedAt === undefined ? call : { ...call, isError };
}

function runState(name: string): Column<RunState> {
  const { read } = integer(name);
  const named = oneOf(name, RUN_STATES);
  return { name, read: (stored) => named.read(RUN_STATES[read(stored)]) };
}

/** Throws what is wrong with a row of a table, read with all its columns; undefined for tables nobody reads rows of. */
export const ROW_CHECKS: Readonly<Record<string, (row: StoredRow) => void>> = {
  inbox: (row) => void [inboxRow(row), stateRow(row)],
  turns: turnRow,
  sessions: sessionRow,
  transcripts: (row) => void [transcriptRow(row), endingRow(row), archivedRow({ ...row, entry_count: 0 })],
  outbox: toOutboxItem,
  asides: toAside,
  tool_calls: toolCallRow,
  errands: toErrand,
  jobs: jobRow,
  people: personRow,
  audit: auditRow,
};
