// What is known of a job in the model, as plain values, and what a dead process can tell about it.

/** What a dead process left in the ledger. */
export interface Evidence {
  /** Of a run: "running", "executed", "settled"; undefined when it was not begun. */
  stateOf(runId: string): string | undefined;
  /** Whether the model has answered, and that is written, though the run does not know it yet. */
  isAnswered(runId: string): boolean;
  /** The newest instant of the job that was dealt with. */
  cursorOf(jobId: string): number;
  /** Whether the job still waits for this run. */
  isHeld(jobId: string, runId: string): boolean;
}

export type Outcome = "ok" | "error" | "crash";

export interface Delivering {
  readonly due: number;
  readonly outcome: Outcome;
  readonly executedAt: number;
  /** Undefined while nobody is there to deliver it. */
  at: number | undefined;
}

/** Plain, so that it can be copied. */
export interface JobState {
  instants: readonly number[];
  isGone: boolean;
  isEnabled: boolean;
  /** When it is looked at next. */
  gate: number | undefined;
  /** The newest instant that was dealt with. */
  cursor: number;
  /** The run its job waits for, be it only for its result to arrive. */
  running: { readonly due: number; endsAt: number; isBroken: boolean; isAnswered: boolean } | undefined;
  readonly delivering: Delivering[];
  failures: number;
  backoffUntil: number;
  alertedAt: number;
  /** All that is expected to be written of it, as `rowsOf` in cron-evidence.ts reads it. */
  readonly rows: string[];
  readonly ended: Ended[];
}

/** A run that is over and settled. */
export interface Ended {
  readonly runId: string;
  readonly outcome: Outcome;
}

export function startState(instants: readonly number[], now: number): JobState {
  return {
    instants,
    isGone: false,
    isEnabled: true,
    gate: undefined,
    cursor: now,
    running: undefined,
    delivering: [],
    failures: 0,
    backoffUntil: 0,
    alertedAt: -Infinity,
    rows: [],
    ended: [],
  };
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}
