// Errands: work that nobody typed. Each is in the ledger from the moment it is due until its result has arrived.

/** What gave it: a job, a heartbeat, a webhook, an agent that wanted help, or the news of a helper's result. */
export type ErrandKind = "cron" | "heartbeat" | "hook" | "subagent" | "announce";

/** Where a result goes. Written down when the errand is given, so that it arrives there whatever happens meanwhile. */
export type ErrandDelivery =
  | {
      readonly mode: "chat";
      /** "webchat": shown in the conversation `to`. */
      readonly channel: string;
      readonly account?: string;
      readonly to: string;
      readonly threadId?: string;
      readonly bestEffort?: boolean;
    }
  | { readonly mode: "webhook"; readonly url: string; readonly bestEffort?: boolean }
  /** The agent of this conversation is told, and answers in it. */
  | { readonly mode: "session"; readonly sessionKey: string }
  /** It was promised, and there is no place: `why` is for people. */
  | { readonly mode: "nowhere"; readonly why: string; readonly bestEffort?: boolean };

export interface Errand {
  /** Names its turn, too. The same for the same need, so that it is met once. */
  readonly runId: string;
  readonly kind: ErrandKind;
  /** The job, the agent, the mapping, or the conversation that gave it. */
  readonly owner: string;
  readonly agentId: string;
  /** The conversation it is carried out in. */
  readonly sessionKey: string;
  readonly dueAt: number;
  readonly createdAt: number;
  /** What is to be done; its kind's own. */
  readonly work: Readonly<Record<string, unknown>>;
  readonly delivery?: ErrandDelivery;
}

export interface ErrandOutcome {
  readonly status: "ok" | "error" | "skipped" | "killed";
  /** What there is to deliver. */
  readonly texts: readonly string[];
  readonly error?: string;
  /** Why it was skipped or ended early, as one word for programs. */
  readonly reason?: string;
  /** The conversation it was carried out in, the model, what it used: for those who look later. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ErrandReceipt {
  readonly channel: string;
  readonly to: string;
  readonly messageId?: string;
}

/** Not the same as being carried out: a run that nobody heard of has failed its purpose. */
export interface ErrandDelivered {
  readonly status: "delivered" | "not-delivered" | "not-requested" | "unknown";
  readonly error?: string;
  readonly receipts?: readonly ErrandReceipt[];
}

/** "executed": carried out, its result is under way. "settled": nothing is left to do. */
export type ErrandState = "waiting" | "running" | "executed" | "settled";
/** Those of errands that are not over. */
export const OPEN_ERRANDS = ["waiting", "running", "executed"] as const satisfies readonly ErrandState[];

export interface ErrandRecord extends Errand {
  /** Grows over the whole ledger. */
  readonly seq: number;
  readonly state: ErrandState;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly settledAt?: number;
  readonly outcome?: ErrandOutcome;
  readonly delivered?: ErrandDelivered;
}

export interface ErrandQuery {
  readonly kind?: ErrandKind;
  readonly owner?: string;
  readonly sessionKey?: string;
  readonly states?: readonly ErrandState[];
  readonly statuses?: ReadonlyArray<ErrandOutcome["status"]>;
  readonly deliveryStatuses?: ReadonlyArray<ErrandDelivered["status"]>;
  /** Case-insensitive, in the result, the error and the owner. */
  readonly search?: string;
  readonly dueFrom?: number;
  readonly dueBefore?: number;
  /** Newest first unless told. */
  readonly order?: "newest" | "oldest";
  readonly limit: number;
  readonly offset?: number;
}
