// Types of a call to a model, with others to take its place: what is handed in, and what comes back.
import type { ModelAttempt, ModelEvent, ModelInfo, ModelRequest, Usage } from "@chela/sdk";

type Reservation =
  | {
      readonly kind: "granted";
      /** The answer must not be longer than this. */
      readonly maxTokens?: number;
      settle(usage: Usage | undefined): void;
    }
  | { readonly kind: "denied"; readonly why: string };

export interface ModelCall {
  readonly agentId: string;
  readonly sessionId: string;
  /** First choice first; never empty. */
  readonly candidates: readonly ModelInfo[];
  /** Builds the request for a model: windows and thinking differ. */
  request(model: ModelInfo): ModelRequest;
  /** By the steady clock. */
  readonly deadlineAt: number;
  /** The session's pinned profile. */
  readonly profile?: string;
  /** Whether a person waits for the answer, and not a timer: they may have put right what was wrong. */
  readonly isAsked?: boolean;
  /** How often this turn already compacted because of an overflow. */
  readonly compactions: number;
  /**
   * Asked before every attempt; a denial ends the call with its sentence. `settle` is called exactly once for each
   * granted attempt, with the usage, or undefined when there is none to know.
   */
  reserve?(model: ModelInfo, request: ModelRequest): Reservation;
  onAttempt?(attempt: ModelAttempt): void;
}

export type CallEvent =
  | ModelEvent
  /** A new attempt begins: whatever came before it in this call is void. */
  | { readonly kind: "attempt"; readonly model: ModelInfo; readonly number: number };
