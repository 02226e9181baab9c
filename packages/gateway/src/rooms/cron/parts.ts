// Types of what the cron room needs of others, and the words its parts share.
import { defined } from "@chela/sdk/base";
import type { CronAsker, CronJob, CronPayload, Errand, Logger, OneAtATime, SandboxPlace } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import type { Timetable } from "./schedule/index.ts";

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

/** What of the house jobs live on. */
export type CronHouse = Pick<
  House,
  "agents" | "clock" | "cronSettings" | "ids" | "isAlone" | "keys" | "ledger" | "placeFor" | "wake"
> & {
  readonly log: Logger & Pick<House["log"], "redact">;
  /** What of the file of jobs may be believed. */
  readonly believed: Pick<House["believed"], "sift">;
  readonly errands: Pick<House["errands"], "begin" | "goOn" | "settled" | "onStep">;
};

/** What others know of those who asked for jobs, of models, commands, conversations and listeners. */
export interface CronParts {
  /** Whether whoever asked for a job in a chat is an owner there now. */
  isOwner(asker: CronAsker): Promise<boolean>;
  /** Why a model that was named cannot be used; undefined when it can. */
  whyNoModel(ref: string): string | undefined;
  commandTerms(wish: CommandWish): CommandTerms | Promise<CommandTerms>;
  /** Takes a conversation away, unless somebody speaks in it. */
  deleteSession(key: string): Promise<void>;
  tell(event: CronEvent): void;
}

/** By what jobs are planned, and changed one change at a time. */
export interface Planning {
  readonly timetable: Timetable;
  /** One change of a job at a time. */
  readonly locks: OneAtATime;
  /** When this gateway began to look after jobs. */
  readonly openedAt: number;
}

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
