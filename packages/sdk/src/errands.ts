// Errands: work that nobody typed. Each is in the ledger from the moment it is due until its result has arrived.

import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

/**
 * What gave it: a job, a heartbeat, a webhook, an agent that wanted help, or the news of a helper's result. A closed list,
 * because the rights of a turn follow from it; what carries a kind out is contributed.
 */
export const ERRAND_KINDS = ["cron", "heartbeat", "hook", "subagent", "announce"] as const;
export type ErrandKind = (typeof ERRAND_KINDS)[number];

/** Where a result goes. Written down when the errand is given, so that it arrives there whatever happens meanwhile. */
export const ErrandDelivery = once(() =>
  z.discriminatedUnion("mode", [
    z.object({
      mode: z.literal("chat"),
      /** "webchat": shown in the conversation `to`. */
      channel: z.string(),
      account: z.string().exactOptional(),
      to: z.string(),
      threadId: z.string().exactOptional(),
      bestEffort: z.boolean().exactOptional(),
    }),
    z.object({ mode: z.literal("webhook"), url: z.string(), bestEffort: z.boolean().exactOptional() }),
    /** The agent of this conversation is told, and answers in it. */
    z.object({ mode: z.literal("session"), sessionKey: z.string() }),
    /** It was promised, and there is no place: `why` is for people. */
    z.object({ mode: z.literal("nowhere"), why: z.string(), bestEffort: z.boolean().exactOptional() }),
  ]),
);
export type ErrandDelivery = Readonly<Parsed<typeof ErrandDelivery>>;

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

export const ErrandOutcome = once(() =>
  z.object({
    status: z.enum(["ok", "error", "skipped", "killed"]),
    /** What there is to deliver. */
    texts: z.array(z.string()).readonly(),
    error: z.string().exactOptional(),
    /** Why it was skipped or ended early, as one word for programs. */
    reason: z.string().exactOptional(),
    /** The conversation it was carried out in, the model, what it used: for those who look later. */
    details: z.record(z.string(), z.unknown()).readonly().exactOptional(),
  }),
);
export type ErrandOutcome = Readonly<Parsed<typeof ErrandOutcome>>;

/** Not the same as being carried out: a run that nobody heard of has failed its purpose. */
export const ErrandDelivered = once(() =>
  z.object({
    status: z.enum(["delivered", "not-delivered", "not-requested", "unknown"]),
    error: z.string().exactOptional(),
    receipts: z
      .array(z.object({ channel: z.string(), to: z.string(), messageId: z.string().exactOptional() }))
      .readonly()
      .exactOptional(),
  }),
);
export type ErrandDelivered = Readonly<Parsed<typeof ErrandDelivered>>;
export type ErrandReceipt = NonNullable<ErrandDelivered["receipts"]>[number];

/** "executed": carried out, its result is under way. "settled": nothing is left to do. */
export const ERRAND_STATES = ["waiting", "running", "executed", "settled"] as const;
export type ErrandState = (typeof ERRAND_STATES)[number];
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
