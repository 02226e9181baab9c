// The seam for the system of record: inbox, turns, sessions, transcripts, outbox and usage, one transaction per step.
import * as z from "zod";
import type { AuditBase, AuditEvent, AuditQuery, AuditRecord } from "./audit.ts";
import type { CronJob } from "./cron.ts";
import type { Errand, ErrandDelivered, ErrandOutcome, ErrandQuery, ErrandRecord, ErrandState } from "./errands.ts";
import { MediaRef } from "./messages.ts";
import type { Person } from "./people.ts";
import type { SessionEntry, SessionKind } from "./session.ts";
import { once, type Parsed } from "./schema.ts";
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

/** In the order in which a run reaches them. */
export const RUN_STATES = ["queued", "running", "done"] as const;
export type RunState = (typeof RUN_STATES)[number];

const texts = () => z.array(z.string()).readonly();
const members = () => z.record(z.string(), z.unknown()).readonly();

/** Why a turn has no answer. One record: it is told when the turn ends, and stands in the transcript. */
export const RunFailure = once(() =>
  z.object({
    /** Of the catalogue of errors. */
    code: z.string(),
    /** What happened: one sentence. */
    message: z.string(),
    /** The part of it that is not the same every time: in whose words it was said. */
    detail: z.string().exactOptional(),
    /** What can be done about it. */
    fix: z.string(),
    retry: z.enum(["never", "now", "later"]),
    /** Whose model was asked, when it was the model that failed. */
    provider: z.string().exactOptional(),
    model: z.string().exactOptional(),
    /** When its credential is used again by itself; until then it is tried when somebody asks for it. */
    retryAt: z.number().exactOptional(),
  }),
);
export type RunFailure = Readonly<Parsed<typeof RunFailure>>;

export const RunOutcome = once(() =>
  z.object({
    status: z.enum(["ok", "error", "aborted"]),
    /** What the sender was told: visible text, in order. */
    texts: texts(),
    /** Files that went out with them. */
    media: z.array(MediaRef()).readonly().exactOptional(),
    error: z.string().exactOptional(),
    /** The same in its parts, for those who show it. */
    failure: RunFailure().readonly().exactOptional(),
    stopReason: z.string().exactOptional(),
    meta: members().exactOptional(),
    /** How it came to this: route, prompt, attempts, policy. For explaining; clients do not get it with the answer. */
    trace: members().exactOptional(),
  }),
);
export type RunOutcome = Readonly<Parsed<typeof RunOutcome>>;

export interface RunRecord {
  readonly message: InboxMessage;
  readonly state: RunState;
  readonly sessionId?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly outcome?: RunOutcome;
}

/** A run that is over, with its number: the order in which messages were admitted. */
export interface Exchange extends RunRecord {
  readonly seq: number;
}

/** A run at a glance, for lists: without what it took and gave in full. */
export interface RunSummary {
  readonly runId: string;
  readonly channel: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly admittedAt: number;
  readonly state: RunState;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The beginning of what was said, 200 characters at most. */
  readonly text: string;
  readonly outcome?: RunOutcome;
}

export interface RunQuery {
  readonly sessionKey?: string;
  readonly agentId?: string;
  /** "error": those that ended with one. */
  readonly state?: RunState | "error";
  /** Only what was admitted before this time. */
  readonly before?: number;
  readonly limit: number;
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
  /** The name the file had when the mirror wrote it last. */
  readonly mirroredFile?: string;
  /** How long the mirror left it; another length says that somebody else wrote. */
  readonly mirroredSize?: number;
}

/** A conversation that was ended: its session was deleted, or started anew. */
export interface ArchivedSession {
  readonly transcript: Transcript & { readonly archived: NonNullable<Transcript["archived"]> };
  /** The session as it was; undefined when it ended before the ledger kept that. */
  readonly entry?: SessionEntry;
  /** How many entries its transcript has. */
  readonly entries: number;
}

export interface ArchiveQuery {
  readonly reason?: "reset" | "deleted";
  readonly sessionKey?: string;
  /** As in {@link SessionQuery}. */
  readonly search?: string;
  readonly limit: number;
  readonly offset?: number;
}

/** An entry with the conversation it belongs to. */
export interface HistoryEntry extends StoredEntry {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly archived?: "reset" | "deleted";
}

export interface StoredEntry {
  /** Grows over the whole ledger; never reused. */
  readonly seq: number;
  /** The entry as one line of JSON, exactly as mirrored. */
  readonly line: string;
  /** The same, parsed, where it was looked at anyway. The caller's own. */
  readonly value?: unknown;
}

/** Where an entry stands in the tree of its transcript, without what it says. */
export interface EntryNode {
  readonly seq: number;
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly customType?: string;
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
  /** When its state was last noted. */
  readonly updatedAt?: number;
  readonly attempts: number;
  readonly state: "pending" | "delivered" | "undeliverable";
  /** What the platform calls it, once it took it. */
  readonly receipt?: DeliveryReceipt;
  /** Why the last attempt failed. */
  readonly error?: string;
}

export const DeliveryReceipt = once(() => z.object({ messageId: z.string(), chatId: z.string().exactOptional() }));
export type DeliveryReceipt = Readonly<Parsed<typeof DeliveryReceipt>>;

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
      /** The session as it was, so that it can be restored. */
      readonly entry?: SessionEntry;
    }
  /** The conversation is live again; `file` is the name its mirrored file gets. */
  | { readonly kind: "transcript-restore"; readonly sessionId: string; readonly file: string }
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
  | {
      readonly kind: "outbox-add";
      readonly item: Omit<OutboxItem, "attempts" | "state" | "updatedAt">;
      /** Of one that needs no sending: it is delivered as soon as it is written. */
      readonly deliveredAt?: number;
    }
  | {
      readonly kind: "outbox-state";
      readonly id: string;
      readonly state: OutboxItem["state"];
      readonly attempts: number;
      readonly at: number;
      /** What is not named stays as it is. */
      readonly receipt?: DeliveryReceipt;
      readonly error?: string;
    }
  | { readonly kind: "aside-add"; readonly aside: Omit<Aside, "seq"> }
  /** They were told: everything of the session up to this one. */
  | { readonly kind: "asides-told"; readonly sessionKey: string; readonly upTo: number }
  | { readonly kind: "usage-add"; readonly usage: UsageRecord }
  /** Fails with STORE_CONFLICT when there is one of this name: it was given before. */
  | { readonly kind: "errand-add"; readonly errand: Errand }
  | {
      readonly kind: "errand-state";
      readonly runId: string;
      readonly state: ErrandState;
      readonly at: number;
      /** What is not named stays as it is. */
      readonly outcome?: ErrandOutcome;
      readonly delivered?: ErrandDelivered;
    }
  /** Settled ones that are older than the newest `keep`: of this owner, or of all owners when none is named. */
  | {
      readonly kind: "errands-forget";
      readonly errandKind: Errand["kind"];
      readonly owner?: string;
      readonly keep: number;
      /** Those that were made since then are only emptied: they are known when they come again, and tell nothing more. */
      readonly knownSince?: number;
    }
  | { readonly kind: "job-put"; readonly job: CronJob }
  | { readonly kind: "job-delete"; readonly id: string }
  /** The next link of the chain. */
  | { readonly kind: "audit-add"; readonly event: AuditEvent }
  /** Lets go of the oldest events, up to this one; the chain goes on from its hash. */
  | { readonly kind: "audit-forget"; readonly upTo: number }
  | { readonly kind: "person-put"; readonly person: Person }
  | { readonly kind: "person-delete"; readonly id: string }
  | { readonly kind: "value-put"; readonly key: string; readonly value: string }
  | {
      readonly kind: "mirrored";
      readonly sessionId: string;
      readonly seq: number;
      readonly file: string;
      readonly size?: number;
    };

/** By the last use, by the time a session was first known, or by the tokens in its context. */
export type SessionSort = "updated" | "created" | "tokens";

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
  readonly kind?: SessionKind;
  /** Where it was spoken in last. */
  readonly channel?: string;
  /** Highest first; "updated" unless told. */
  readonly sort?: SessionSort;
  readonly limit?: number;
  readonly offset?: number;
}

export interface SessionRow {
  readonly key: string;
  readonly entry: SessionEntry;
  /** When the session was first known. */
  readonly createdAt?: number;
}

/** What was committed, for those who follow the ledger. */
export interface CommitNote {
  /** Whose transcripts or entries are touched. */
  readonly sessionIds: readonly string[];
  readonly sessionKeys: readonly string[];
  /** The changes of each commit, in order; several commits may become visible together. Not to be changed. */
  readonly commits: ReadonlyArray<readonly Change[]>;
  /** Messages that were admitted. */
  readonly admitted: readonly InboxMessage[];
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
  /** How many there are of these in all, whatever the query's limit and offset. */
  countMatching(query: SessionQuery): Promise<number>;
  countSessions(agentId?: string): Promise<number>;
  /** Ended conversations, the newest end first. */
  archives(query: ArchiveQuery): Promise<ArchivedSession[]>;
  countArchives(query: Omit<ArchiveQuery, "limit" | "offset">): Promise<number>;
  archive(sessionId: string): Promise<ArchivedSession | undefined>;

  transcript(sessionId: string): Promise<Transcript | undefined>;
  transcripts(filter: { readonly agentId?: string; readonly sessionKey?: string }): Promise<Transcript[]>;
  /** Live entries, oldest first; `newest` limits to the last n of them, `all` includes what was cut. */
  entries(
    sessionId: string,
    options?: { readonly afterSeq?: number; readonly newest?: number; readonly limit?: number; readonly all?: boolean },
  ): Promise<StoredEntry[]>;
  /** How the live entries hang together, oldest first. */
  nodes(sessionId: string, options?: { readonly afterSeq?: number; readonly limit?: number }): Promise<EntryNode[]>;
  /** The entries with these numbers, oldest first, live or not; numbers of other sessions are passed over. */
  entriesAt(sessionId: string, seqs: readonly number[]): Promise<StoredEntry[]>;
  /** The way from an entry back to the first live one, oldest first; `limit` keeps the newest of them. */
  branch(sessionId: string, entryId: string, limit: number): Promise<StoredEntry[]>;
  /** Entries of all transcripts, oldest first. Fewer than `limit` when they are long; none only at the end. */
  history(afterSeq: number, limit: number): Promise<HistoryEntry[]>;
  /** The number of the newest entry of all; 0 when there is none. */
  newestSeq(): Promise<number>;
  /** Transcripts whose file is behind the ledger. */
  unmirrored(limit: number): Promise<Transcript[]>;

  /**
   * The answered user messages of a session, oldest first, with what was sent back: the newest of all, the newest
   * `before` a number, or the first `after` one.
   */
  exchanges(
    sessionKey: string,
    limit: number,
    range?: { readonly before?: number; readonly after?: number },
  ): Promise<Exchange[]>;
  toolCalls(runId: string): Promise<ToolCallRecord[]>;
  /** Runs whose id, or whose sender's message id, is or begins with `text`; newest first. */
  findRuns(text: string, limit: number): Promise<RunRecord[]>;
  /** Newest first. */
  runs(query: RunQuery): Promise<RunSummary[]>;
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

  errand(runId: string): Promise<ErrandRecord | undefined>;
  errands(query: ErrandQuery): Promise<ErrandRecord[]>;
  countErrands(query: Omit<ErrandQuery, "limit" | "offset" | "order">): Promise<number>;
  job(id: string): Promise<CronJob | undefined>;
  /** All of them, by name. */
  jobs(): Promise<CronJob[]>;
  /** Those that are enabled and whose next run is not later than this, the longest due first. */
  dueJobs(at: number, limit: number): Promise<CronJob[]>;
  /** When the next enabled job is due. */
  nextJobAt(): Promise<number | undefined>;

  audit(query: AuditQuery): Promise<AuditRecord[]>;
  countAudit(query: Omit<AuditQuery, "limit" | "order">): Promise<number>;
  auditBase(): Promise<AuditBase>;
  /** The event this process wrote last; undefined before the first one. What is read must still end with it. */
  auditHead(): Promise<AuditBase | undefined>;
  /** All of them, by name. */
  people(): Promise<Person[]>;

  value(key: string): Promise<string | undefined>;

  /**
   * Calls back after commits and admissions, outside the transaction and before whoever committed goes on; what only
   * the ledger and its mirror know of is left out. The returned function ends that.
   */
  onCommit(listener: (note: CommitNote) => void): () => void;
  /** Writes a consistent copy while the ledger stays in use. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}
