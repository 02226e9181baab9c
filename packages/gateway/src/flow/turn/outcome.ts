// Outcome of a turn, in the words its sender gets. Pure.
import { defined } from "@chela/sdk/base";
import {
  GatewayError,
  toGatewayError,
  type ErrorCode,
  type ModelFailure,
  type RunFailure,
  type RunOutcome,
} from "@chela/sdk";
import type { LoopOutcome } from "../../rooms/agent/room.ts";

/** Why a run was stopped; the reason of its abort signal. */
export type StopCause = "rpc" | "stop" | "timeout" | "shutdown" | "interrupt";

/** The name of the model that stands in where none could be chosen. */
export const NO_MODEL_ID = "none";

const FAILURE_CODES: Record<ModelFailure["reason"], ErrorCode> = {
  auth: "MODEL_AUTH",
  billing: "MODEL_BILLING",
  "rate-limit": "MODEL_RATE",
  overloaded: "MODEL_OVERLOADED",
  "server-error": "MODEL_SERVER",
  "context-overflow": "MODEL_OVERFLOW",
  refused: "MODEL_REFUSED",
  "bad-request": "MODEL_REQUEST",
  "not-found": "MODEL_UNKNOWN",
  network: "MODEL_NETWORK",
  timeout: "MODEL_TIMEOUT",
  malformed: "MODEL_MALFORMED",
  endless: "MODEL_ENDLESS",
  budget: "MODEL_BUDGET",
  unknown: "TURN_FAILED",
};

export interface TurnSoFar {
  /** What the sender is told, in order. */
  readonly texts: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
  readonly endedAt: number;
}

export function outcomeOf(loop: LoopOutcome, stopped: StopCause | undefined, turn: TurnSoFar): RunOutcome {
  const { texts, meta } = turn;
  if (stopped === "timeout") {
    const error = new GatewayError("MODEL_TIMEOUT", `${Math.round(turn.durationMs / 1000)} s`);
    return { ...failed(error, texts, meta), stopReason: "timeout" };
  }
  if (stopped) return { status: "aborted", texts, stopReason: stopped, meta };
  if (loop.kind === "exhausted") {
    return failed(new GatewayError("TURN_LIMIT", `${loop.steps} steps without an answer`), texts, meta);
  }
  if (loop.kind === "in-circles") return failed(new GatewayError("TOOL_LOOP", loop.why), texts, meta);
  if (loop.kind === "failed") {
    const error = new GatewayError(FAILURE_CODES[loop.failure.reason], loop.failure.message);
    return told(failed(error, texts, meta), loop, turn.endedAt);
  }
  return { status: "ok", texts, stopReason: loop.message.stopReason, meta };
}

/** The outcome a person sees when a turn could not be finished. */
export function failed(
  thrown: unknown,
  texts: readonly string[] = [],
  meta?: Readonly<Record<string, unknown>>,
): RunOutcome {
  const error = toGatewayError(thrown, "TURN_FAILED");
  const { message, row, code, detail } = error;
  const failure: RunFailure = { code, message, detail, fix: row.fix, retry: row.retry };
  return { status: "error", texts, error: error.explain(), failure, ...(meta ? { meta } : {}) };
}

/** Whose model failed, and when it is tried again. */
function told(
  outcome: RunOutcome,
  { failure, message }: Extract<LoopOutcome, { kind: "failed" }>,
  now: number,
): RunOutcome {
  if (!outcome.failure || message.model === NO_MODEL_ID) return outcome;
  const { retryAt } = failure;
  const again =
    retryAt === undefined
      ? undefined
      : `Send the message again in ${inWords(retryAt - now)}; sooner works too, but not within 10 seconds of the last try.`;
  return {
    ...outcome,
    ...(again ? { error: `${outcome.error} ${again}` } : {}),
    failure: {
      ...outcome.failure,
      provider: message.provider,
      model: message.model,
      ...defined({ retryAt }),
    },
  };
}

const MINUTE_MS = 60_000;

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const [count, unit] =
    minutes <= 1 && ms < MINUTE_MS - 5_000
      ? [Math.max(1, Math.ceil(ms / 1000)), "second"]
      : minutes < 90
        ? [minutes, "minute"]
        : [Math.round(minutes / 60), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export function aborted(stopReason: string): RunOutcome {
  return { status: "aborted", texts: [], stopReason };
}
