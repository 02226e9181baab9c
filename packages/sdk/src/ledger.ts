// The seam for the system of record: inbox, turns, sessions, transcripts, outbox and usage, one transaction per step.
import type { SessionEntry } from "./session.ts";
import type { TranscriptHeader } from "./transcript.ts";

/** A message somebody sent, from the moment the gateway answers for it. */
export interface InboxMessage {
  /** Names the run that will answer; equals the client's idempotency key where there is one. */
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  /** The sender's own id for the message: a second message with the same three is a duplicate. */
  readonly messageId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  /** Everything else the turn needs, as JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly admittedAt: number;
}

export type RunState = "queued" | "running" | "done";

export interface RunOutcome {
  readonly status: "ok" | "error" | "aborted";
  /** What the sender was told: visible text, in order. */
  readonly texts: readonly string[];
  readonly error?: string;
  readonly stopReason?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** How it came to this: route, prompt, attempts, policy. For explaining; clients do not get it with the answer. */
  readonly trace?: Readonly<Record<string, unknown>>;
}

export interface RunRecord {
  readonly message: InboxMessage;
  readonly state: RunState;
  readonly sessionId?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly outcome?: RunOutcome;
}

export type Admission =
  | { readonly kind: "admitted" }
  /** Seen before: `run` is what became of the first one. */
  | { readonly kind: "duplicate"; readonly run: RunRecord };

export interface Transcript {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly header: TranscriptHeader;
  /** Wanted name of the mirrored file, inside the agent's sessions directory. */
  readonly file: string;
  readonly archived?: { readonly reason: "reset" | "deleted"; readonly at: number };
  /** Sequence number of the newest entry, 0 when empty. */
  readonly lastSeq: number;
  /** Entries up to this number are kept, but no longer part of the live conversation. */
  readonly cutSeq: number;
}

export interface StoredEntry {
  /** Grows over the whole ledger; never reused. */
  readonly seq: number;
  /** The entry as one line of JSON, exactly as mirrored. */
  readonly line: string;
  /** The same, parsed, where it was looked at anyway. The caller's own. */
  readonly value?: unknown;
}

/** An entry on its way into the ledger. `line` is the JSON of the whole entry. */
export interface NewEntry {
  readonly id: string;
  readonly line: string;
}

export interface OutboxItem {
  readonly id: string;
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly attempts: number;
  readonly state: "pending" | "delivered" | "undeliverable";
  /** What the platform calls it, once it took it. */
  readonly receipt?: DeliveryReceipt;
  /** Why the last attempt failed. */
  readonly error?: string;
}

export interface DeliveryReceipt {
  readonly messageId: string;
  readonly chatId?: string;
}

/** Something that happened or was said between turns; the next message of its session brings it along. */
export interface Aside {
  /** Grows over the whole ledger. */
  readonly seq: number;
  readonly sessionKey: string;
  /** "note": for the agent to know. "heard": said in a group, but not to us. */
  readonly kind: "note" | "heard";
  /** One with the same key is not added again. */
  readonly key: string;
  readonly at: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface DeliveryQuery {
  readonly state?: OutboxItem["state"];
  readonly channel?: string;
  readonly limit: number;
}

export interface UsageRecord {
  readonly at: number;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly provider: string;
  readonly model: string;
  /** Where the message came from, who wrote it, and the job that caused it; "" when there is none. */
  readonly channel: string;
  readonly person: string;
  readonly job: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Undefined when the price of the model is not known. */
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

/** What is counted together. */
export type UsageDimension = "agent" | "session" | "channel" | "person" | "job" | "provider" | "model" | "run";

export interface UsageSum {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly inputCost: number;
  readonly outputCost: number;
  readonly cacheReadCost: number;
  readonly cacheWriteCost: number;
  readonly missingCostEntries: number;
}

export interface UsageDay extends UsageSum {
  /** YYYY-MM-DD in the asked-for offset. */
  readonly date: string;
}

export interface UsageGroup extends UsageSum {
  /** The agent, session key, channel …; of models "provider/model". */
  readonly name: string;
}

export interface UsageRange {
  readonly from: number;
  readonly to: number;
  /** Only what belongs to these. */
  readonly of?: Readonly<Partial<Record<UsageDimension, string>>>;
}

export interface ToolCallRecord {
  readonly toolCallId: string;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly isError?: boolean;
}

/** One thing a step writes. The changes of one `commit` become visible together or not at all, in the order given. */
export type Change =
  | { readonly kind: "session-put"; readonly key: string; readonly entry: SessionEntry }
  | { readonly kind: "session-delete"; readonly key: string }
  | {
      readonly kind: "transcript-open";
      readonly sessionId: string;
      readonly sessionKey: string;
      readonly agentId: string;
      readonly header: TranscriptHeader;
      readonly file: string;
    }
  | {
      readonly kind: "transcript-archive";
      readonly sessionId: string;
      readonly reason: "reset" | "deleted";
      readonly at: number;
      /** The name the mirrored file gets. */
      readonly file: string;
    }
  /** Takes all but the newest `keep` entries out of the live conversation; nothing is deleted. */
  | { readonly kind: "transcript-cut"; readonly sessionId: string; readonly keep: number }
  /** Fails with STORE_CONFLICT when the session already holds an entry with one of these ids. */
  | { readonly kind: "entries-append"; readonly sessionId: string; readonly entries: readonly NewEntry[] }
  | { readonly kind: "turn-begin"; readonly runId: string; readonly sessionId: string; readonly at: number }
  | { readonly kind: "turn-end"; readonly runId: string; readonly at: number; readonly outcome: RunOutcome }
  | {
      readonly kind: "tool-start";
      readonly runId: string;
      readonly toolCallId: string;
      readonly name: string;
      readonly args: unknown;
      readonly at: number;
    }
  | {
      readonly kind: "tool-end";
      readonly runId: string;
      readonly toolCallId: string;
      readonly isError: boolean;
      readonly at: number;
    }
  | { readonly kind: "outbox-add"; readonly item: Omit<OutboxItem, "attempts" | "state"> }
  | {
      readonly kind: "outbox-state";
      readonly id: string;
      readonly state: OutboxItem["state"];
      readonly attempts: number;
      /** What is not named stays as it is. */
      readonly receipt?: DeliveryReceipt;
      readonly error?: string;
    }
  | { readonly kind: "aside-add"; readonly aside: Omit<Aside, "seq"> }
  /** They were told: everything of the session up to this one. */
  | { readonly kind: "asides-told"; readonly sessionKey: string; readonly upTo: number }
  | { readonly kind: "usage-add"; readonly usage: UsageRecord }
  | { readonly kind: "value-put"; readonly key: string; readonly value: string }
  | { readonly kind: "mirrored"; readonly sessionId: string; readonly seq: number; readonly file: string };

export interface SessionQuery {
  readonly agentId?: string;
  readonly label?: string;
  readonly spawnedBy?: string;
  /** Case-insensitive, in key, session id, label, display name and subject. */
  readonly search?: string;
  readonly updatedSince?: number;
  readonly includeGlobal?: boolean;
  readonly includeUnknown?: boolean;
  readonly includeHidden?: boolean;
  readonly limit?: number;
  readonly offset?: number;
}

export interface SessionRow {
  readonly key: string;
  readonly entry: SessionEntry;
}

/** What a commit touched, for those who follow the ledger (the mirror). */
export interface CommitNote {
  readonly sessionIds: readonly string[];
  readonly sessionKeys: readonly string[];
}

/**
 * Contract: a resolved `admit` or `commit` survives the death of the process and of the machine.
 * Reads see every commit that resolved before them.
 */
export interface Ledger {
  admit(message: InboxMessage): Promise<Admission>;
  commit(changes: readonly Change[]): Promise<void>;

  run(runId: string): Promise<RunRecord | undefined>;
  /** Runs that are not done, oldest first: what a restart has to finish. */
  unfinishedRuns(): Promise<RunRecord[]>;

  session(key: string): Promise<SessionEntry | undefined>;
  sessionKeyOf(sessionId: string): Promise<string | undefined>;
  /** Newest first. */
  sessions(query: SessionQuery): Promise<SessionRow[]>;
  countSessions(agentId?: string): Promise<number>;

  transcript(sessionId: string): Promise<Transcript | undefined>;
  transcripts(filter: { readonly agentId?: string; readonly sessionKey?: string }): Promise<Transcript[]>;
  /** Live entries, oldest first; `newest` limits to the last n of them, `all` includes what was cut. */
  entries(
    sessionId: string,
    options?: { readonly afterSeq?: number; readonly newest?: number; readonly limit?: number; readonly all?: boolean },
  ): Promise<StoredEntry[]>;
  /** The way from an entry back to the first live one, oldest first; `limit` keeps the newest of them. */
  branch(sessionId: string, entryId: string, limit: number): Promise<StoredEntry[]>;
  /** Transcripts whose file is behind the ledger. */
  unmirrored(
    limit: number,
  ): Promise<Array<Transcript & { readonly mirroredSeq: number; readonly mirroredFile?: string }>>;

  /** The answered user messages of a session, oldest first, with what was sent back. */
  exchanges(sessionKey: string, newest: number): Promise<RunRecord[]>;
  toolCalls(runId: string): Promise<ToolCallRecord[]>;
  /** Runs whose id, or whose sender's message id, is or begins with `text`; newest first. */
  findRuns(text: string, limit: number): Promise<RunRecord[]>;
  outboxOf(runId: string): Promise<OutboxItem[]>;
  /** Oldest first: the order in which they have to be sent. */
  outbox(state: OutboxItem["state"], limit: number): Promise<OutboxItem[]>;
  delivery(id: string): Promise<OutboxItem | undefined>;
  /** Newest first. */
  deliveries(query: DeliveryQuery): Promise<OutboxItem[]>;
  /** What was not told yet, oldest first; of each kind no more than the newest 200 are kept. */
  asides(sessionKey: string): Promise<Aside[]>;
  usageByDay(range: UsageRange & { readonly offsetMinutes: number }): Promise<UsageDay[]>;
  usageTotal(range: UsageRange): Promise<UsageSum>;
  /** Most expensive first. */
  usageBy(dimension: UsageDimension, range: UsageRange, limit: number): Promise<UsageGroup[]>;

  value(key: string): Promise<string | undefined>;

  /** Calls back after each commit, outside the transaction. The returned function ends that. */
  onCommit(listener: (note: CommitNote) => void): () => void;
  /** Writes a consistent copy while the ledger stays in use. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}
