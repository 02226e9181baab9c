// Types of running a command once it has been understood. The plan that is approved is the plan that runs.
import type { Requester } from "./requester.ts";

export type ExecSecurity = "deny" | "allowlist" | "full";
export type ExecAsk = "off" | "on-miss" | "always";

/** One program: the file that is executed (absolute, links resolved) and its whole argv, `argv[0]` included. */
export interface ExecProgram {
  readonly file: string;
  readonly argv: readonly string[];
}

/** Programs joined by pipes, and when to run them: after a success (`&&`), a failure (`||`), or always (`;`). */
export interface ExecStep {
  readonly when: "always" | "success" | "failure";
  readonly pipeline: readonly ExecProgram[];
}

export interface ExecPlan {
  /** As the model wrote it. */
  readonly command: string;
  /** Absolute, links resolved. */
  readonly cwd: string;
  /** The whole environment of the child: nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** `direct`: understood to the last word, run without a shell. `shell`: handed to one shell as it was written. */
  readonly how:
    | { readonly kind: "direct"; readonly steps: readonly ExecStep[] }
    | { readonly kind: "shell"; readonly program: ExecProgram }
    /** Handed to the shell of the sandbox with this scope. */
    | { readonly kind: "sandbox"; readonly scope: string };
}

export interface ExecRequest {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names in `env` that the call set itself: whoever is asked has to see their values. */
  readonly chosen?: readonly string[];
  /** Of `env`, what the owner gave to skills in use: nothing the call could have chosen. */
  readonly given?: Readonly<Record<string, string>>;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly requester: Requester;
  /** What the call itself asks for; it can only narrow what is configured. */
  readonly security?: ExecSecurity;
  readonly ask?: ExecAsk;
  /** The session is elevated and the call asks for it. */
  readonly elevated?: "ask" | "full";
  /** The scope of the sandbox it is kept in; then `cwd` is a place inside, and the sandbox is the limit, not a list. */
  readonly sandbox?: string;
}

/** A question that waits for a person. */
export interface PendingExec {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly expiresAtMs: number;
}

export type ExecDecision =
  | {
      readonly kind: "allowed";
      readonly plan: ExecPlan;
      /** Stands for everything that was approved; `confirm` checks it. */
      readonly seal: string;
      readonly because: string;
      /** Whether anything may be typed into the running command, or each input is a question of its own. */
      readonly input: "free" | "asked";
    }
  /** One sentence for the model and the person: what was refused, why, and what to do. */
  | { readonly kind: "denied"; readonly why: string };

/** Something an agent wants to type into a command that runs. */
export interface ExecInput {
  /** The command as it was approved, and where it runs. */
  readonly command: string;
  readonly cwd: string;
  /** The name under which it runs. */
  readonly processId: string;
  /** What would be typed. */
  readonly text: string;
  readonly closesInput: boolean;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly requester: Requester;
}

export type ExecInputDecision =
  /** `lasts`: everything further that is typed into this very process, too. */
  { readonly kind: "allowed"; readonly lasts: boolean } | { readonly kind: "denied"; readonly why: string };

/** One step of a plan, ready to be started: the files that were approved, or copies of them nobody else can change. */
export type PreparedStep =
  | {
      readonly kind: "ready";
      readonly pipeline: readonly ExecProgram[];
      /**
       * Asked before anything it printed is believed: a whole sentence when something it was given by name was replaced since
       * it was prepared. Then it is ended.
       */
      replaced?(): string | undefined;
    }
  /** A whole sentence. */
  | { readonly kind: "refused"; readonly why: string };

/** Decides whether a command may run. Nothing that runs commands goes past it. */
export interface ExecGuard {
  /** Asks a person where the rules say so; never rejects. A stopped turn, a timeout and a missing approver are a denial. */
  authorize(
    request: ExecRequest,
    options: { readonly signal: AbortSignal; onPending(pending: PendingExec): void },
  ): Promise<ExecDecision>;
  /** Called right before the plan runs, once: undefined when all is as approved, else why it must not run. */
  confirm(decision: Extract<ExecDecision, { kind: "allowed" }>, request: ExecRequest): Promise<string | undefined>;
  /** After `confirm`, right before each step that runs on this machine: what to start, if all is still as approved. */
  prepareStep(decision: Extract<ExecDecision, { kind: "allowed" }>, step: number): Promise<PreparedStep>;
  /** The run is over: nothing of it is needed any more. */
  release(decision: Extract<ExecDecision, { kind: "allowed" }>): void;
  /** For what is typed into a command whose input is "asked"; never rejects. */
  authorizeInput(
    input: ExecInput,
    options: { readonly signal: AbortSignal; onPending(pending: PendingExec): void },
  ): Promise<ExecInputDecision>;
}
