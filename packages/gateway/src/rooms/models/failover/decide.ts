// Decides on failover: one table, read from left to right until a step can be taken. Pure.
import type { ModelFailure, ModelFailureReason } from "@chela/sdk";

export type Action =
  | { readonly kind: "retry-same"; readonly afterMs: number }
  /** Nothing else is left, but a short pause that a provider asked for ends soon: wait, and go back to its model. */
  | { readonly kind: "wait"; readonly afterMs: number }
  | { readonly kind: "next-profile" }
  /** A person asks, and nothing else is left: a credential that rests is tried all the same. */
  | { readonly kind: "try-resting" }
  | { readonly kind: "next-model"; readonly larger: boolean }
  /** The caller shortens the conversation and calls again. */
  | { readonly kind: "compact" }
  | { readonly kind: "give-up" };

/** Where a call stands when a failure arrives. */
export interface FailoverState {
  /** Attempts of the whole call. */
  readonly attempts: number;
  /** How often this model was tried again with this credential; undefined when trying again is out of the question. */
  readonly retries: number | undefined;
  /** Credentials for this model that were not tried yet and may be now. */
  readonly profilesLeft: number;
  readonly modelsLeft: number;
  /** Those among them with a larger context window. */
  readonly largerModelsLeft: number;
  /** How often a model of this call declined to answer, this failure included. */
  readonly refusals: number;
  readonly compactions: number;
  /** How often the call waited for a pause to end. */
  readonly waits: number;
  /** Credentials that rest, and may be tried because a person asks. */
  readonly restingLeft: number;
  /** When the next credential among all candidates may be used again after a rate limit. */
  readonly pauseMs: number | undefined;
  /** What is left of this model's share of the time, and of the whole call's. */
  readonly shareMs: number;
  readonly remainingMs: number;
  /** From 0 to 1. */
  readonly jitter: number;
}

type Step =
  | "retry"
  | "other-profile"
  | "other-model"
  | "other-model-once"
  | "larger-model"
  | "compact"
  | "wait"
  | "resting";
type FailoverTable = Readonly<Record<ModelFailureReason, readonly Step[]>>;

export const FAILOVER_TABLE: FailoverTable = {
  auth: ["other-profile", "other-model", "wait", "resting"],
  billing: ["other-profile", "other-model", "wait", "resting"],
  "rate-limit": ["other-profile", "other-model", "wait", "resting"],
  overloaded: ["retry", "other-model", "wait", "resting"],
  "server-error": ["retry", "other-model", "wait", "resting"],
  network: ["retry", "other-model", "wait", "resting"],
  timeout: ["retry", "other-model", "wait", "resting"],
  malformed: ["retry", "other-model", "wait", "resting"],
  // Once more would cost as much once more.
  endless: ["other-model", "wait", "resting"],
  "context-overflow": ["compact", "larger-model"],
  refused: ["other-model-once"],
  "bad-request": ["other-model", "wait", "resting"],
  "not-found": ["other-model", "wait", "resting"],
  unknown: ["other-model", "wait", "resting"],
  budget: [],
};

const MAX_ATTEMPTS = 12;
/** How long the same model is waited for between two tries. */
const LONGEST_RETRY_MS = 10_000;
/** Longer pauses than this are told to the person instead of waited for. */
const LONGEST_WAIT_MS = 30_000;
const MAX_WAITS = 2;
const MAX_COMPACTIONS = 3;
const RETRY_DELAYS_MS = [300, 1_000];

type TakeStep = (state: FailoverState, failure: ModelFailure) => Action | undefined;

const STEPS: Readonly<Record<Step, TakeStep>> = {
  retry: retrySoon,
  "other-profile": ({ profilesLeft }) => (profilesLeft > 0 ? { kind: "next-profile" } : undefined),
  "other-model": ({ modelsLeft }) => (modelsLeft > 0 ? { kind: "next-model", larger: false } : undefined),
  "other-model-once": ({ modelsLeft, refusals }) =>
    modelsLeft > 0 && refusals <= 1 ? { kind: "next-model", larger: false } : undefined,
  "larger-model": ({ largerModelsLeft }) => (largerModelsLeft > 0 ? { kind: "next-model", larger: true } : undefined),
  compact: ({ compactions }) => (compactions < MAX_COMPACTIONS ? { kind: "compact" } : undefined),
  wait: waitForPause,
  resting: ({ restingLeft }) => (restingLeft > 0 ? { kind: "try-resting" } : undefined),
};

export function decide(table: FailoverTable, state: FailoverState, failure: ModelFailure): Action {
  const steps = state.attempts < MAX_ATTEMPTS ? table[failure.reason] : [];
  for (const step of steps) {
    const action = STEPS[step](state, failure);
    if (action) return action;
  }
  return { kind: "give-up" };
}

function retrySoon({ retries, shareMs, jitter }: FailoverState, failure: ModelFailure): Action | undefined {
  const delay = retries === undefined ? undefined : RETRY_DELAYS_MS[retries];
  if (delay === undefined) return undefined;
  const afterMs = Math.max(Math.round(delay * (0.75 + 0.5 * jitter)), failure.retryAfterMs ?? 0);
  return isShort(afterMs, shareMs, LONGEST_RETRY_MS) ? { kind: "retry-same", afterMs } : undefined;
}

function waitForPause({ waits, pauseMs, remainingMs }: FailoverState): Action | undefined {
  if (waits >= MAX_WAITS || pauseMs === undefined || !isShort(pauseMs, remainingMs, LONGEST_WAIT_MS)) return undefined;
  return { kind: "wait", afterMs: pauseMs };
}

function isShort(ms: number, leftMs: number, longest: number): boolean {
  return ms <= longest && ms < leftMs;
}
