// Types of what the cron room needs of others, and the words its parts share.
import { defined } from "@chela/sdk/base";
import type {
  Change,
  Clock,
  CronAsker,
  CronDelivery,
  CronJob,
  CronPayload,
  Errand,
  ErrandDelivery,
  ErrandRecord,
  Ids,
  Ledger,
  Logger,
  SandboxPlace,
} from "@chela/sdk";
import type { Believed } from "../../base/files/believed.ts";

export interface CronSettings {
  /** Whether jobs run by themselves. */
  readonly isEnabled: boolean;
  /** Where the jobs are mirrored. */
  readonly storePath: string;
  readonly runLog: { readonly maxBytes: number; readonly keepLines: number };
  /** Undefined: conversations of runs are kept. */
  readonly sessionRetentionMs: number | undefined;
  readonly commandsAtOnce: number;
  /** Where jobs of older stores that only say "notify" post their results. */
  readonly legacyWebhook?: string;
}

/** What the engine of errands offers. */
interface CronErrands {
  begin(errand: Errand, changes?: readonly Change[]): Promise<boolean>;
  /** Sets out with one that was written together with the end of another. */
  goOn(runId: string): Promise<void>;
  settled(runId: string): Promise<ErrandRecord | undefined>;
  /** Every step of every errand, as it is written. */
  onStep(listener: (errand: ErrandRecord) => void): () => void;
}

export interface CommandWish {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly payload: Extract<CronPayload, { kind: "exec" }>;
}

/** How a command may be run; refused with a reason when it may not. */
export type CommandTerms =
  | {
      readonly kind: "allowed";
      readonly workspace: string;
      readonly environment: Readonly<Record<string, string>>;
      /** Where it is kept, when it has to be. */
      openSandbox?(): Promise<SandboxPlace>;
    }
  | { readonly kind: "refused"; readonly why: string };

export interface CronParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly ledger: Ledger;
  /** What of the file of jobs may be believed. */
  readonly believed: Pick<Believed, "sift">;
  readonly errands: CronErrands;
  settings(): CronSettings;
  /** Whether no other gateway works on the state directory at the same time. */
  isAlone(): boolean;
  defaultAgentId(): string;
  knowsAgent(agentId: string): boolean;
  /** Whether whoever asked for a job in a chat is an owner there now. */
  isOwner(asker: CronAsker): Promise<boolean>;
  /** Why a model that was named cannot be used; undefined when it can. */
  whyNoModel(ref: string): string | undefined;
  mainKey(agentId: string): string;
  placeFor(agentId: string, written: WrittenPlace): Promise<ErrandDelivery>;
  /** Resolves when the event is written down. */
  wake(event: {
    readonly agentId: string;
    readonly text: string;
    readonly mode: "now" | "next-heartbeat";
    readonly reason: string;
    readonly key: string;
  }): Promise<void>;
  commandTerms(wish: CommandWish): CommandTerms | Promise<CommandTerms>;
  signalTree(leader: number, signal: NodeJS.Signals): void;
  /** Takes secrets that the gateway knows out of what a command printed. */
  redact?(text: string): string;
  /** Takes a conversation away, unless somebody speaks in it. */
  deleteSession(key: string): Promise<void>;
  tell(event: CronEvent): void;
}

type WrittenPlace = Pick<CronDelivery, "channel" | "to" | "accountId" | "threadId">;

export interface CronEvent {
  readonly jobId: string;
  readonly action: "added" | "updated" | "removed" | "started" | "finished";
  readonly [field: string]: unknown;
}

/** What an errand of this kind is about. It says all that is needed, so that it can be done when its job has changed. */
export type CronWork =
  | {
      readonly kind: "run";
      readonly name: string;
      readonly payload: CronPayload;
      readonly trigger: "due" | "force";
      /** The zone its instants are written in. */
      readonly zone?: string;
      readonly wakeMode: CronJob["wakeMode"];
      /** The conversation it was asked for in: it sees no more than that one. */
      readonly askedIn?: string;
      readonly askedBy?: CronAsker;
      readonly onCrash: "retry" | "report";
    }
  /** Instants at which it did not run. */
  | ({ readonly kind: "skipped"; readonly name: string } & Skipped)
  /** Somebody is told that a job fails. */
  | { readonly kind: "alert"; readonly name: string; readonly text: string; readonly runId: string };

export interface Skipped {
  readonly reason: "missed" | "still-running" | "back-off";
  readonly count: number;
  /** There were more than could be counted. */
  readonly isAtLeast?: true;
  readonly first: number;
  readonly last: number;
}

export function workOf({ work }: Pick<Errand, "work">): CronWork {
  return work as unknown as CronWork;
}

/** Everything of a job's state that only this room knows of. */
export interface OwnState {
  /** The newest instant that was dealt with. */
  readonly cursorMs?: number;
  /** Instants before this were left out because runs fail. */
  readonly backoffUntilMs?: number;
  /** The run `runningAtMs` is about. */
  readonly runningId?: string;
  /** How often a job for one instant was tried again. */
  readonly retries?: number;
}

export function ownState(job: CronJob): OwnState {
  return job.state as OwnState;
}

export type JobState = CronJob["state"] & OwnState;

/** A copy with another state; what is undefined is taken out. */
export function withState(
  job: CronJob,
  changes: { readonly [K in keyof JobState]?: JobState[K] | undefined },
): CronJob {
  const state = defined({ ...job.state, ...changes });
  return { ...job, state };
}
