// Calls to nodes that wait for their answer: each is addressed to one connection, answered once, in time, or failed.
import type { Clock, Ids, Logger } from "@chela/sdk";

export interface NodeCall {
  readonly command: string;
  readonly params?: unknown;
  readonly timeoutMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** What a connection has to offer to be called. */
export interface Callee {
  readonly connId: string;
  readonly nodeId: string;
  send(event: "node.invoke.request", payload: Readonly<Record<string, unknown>>): void;
}

interface NodeError {
  readonly code?: string;
  readonly message?: string;
}

export type CallOutcome =
  | { readonly kind: "answered"; readonly payload: unknown; readonly payloadJSON: string | null }
  | { readonly kind: "failed"; readonly error: NodeError }
  | { readonly kind: "timed-out" }
  /** The node left, or was shown out, before it answered. */
  | { readonly kind: "gone" }
  | { readonly kind: "busy" };

/** What a node sends back; the id is the only thing that says for what. */
export interface NodeAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly payload?: unknown;
  readonly payloadJSON?: string | null | undefined;
  readonly error?: { readonly code?: string | undefined; readonly message?: string | undefined } | null | undefined;
}

interface OpenCall {
  readonly connId: string;
  readonly nodeId: string;
  readonly command: string;
  settle(outcome: CallOutcome): void;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const LONGEST_MS = 10 * 60_000;
const MOST_OPEN = 32;
/** A picture in base64 fits; a film has to come by another way. */
const LARGEST_ANSWER = 8 * 1024 * 1024;

export function createInvocations({ clock, ids, log }: { clock: Clock; ids: Ids; log: Logger }) {
  const open = new Map<string, OpenCall>();

  const call = (callee: Callee, { command, params, timeoutMs, idempotencyKey }: NodeCall): Promise<CallOutcome> => {
    const { connId, nodeId } = callee;
    const waiting = [...open.values()].filter((one) => one.connId === connId);
    if (waiting.length >= MOST_OPEN) return Promise.resolve({ kind: "busy" });
    // Written first: what cannot be written is nobody's open call.
    const paramsJSON = params === undefined ? null : JSON.stringify(params);
    const id = ids.uuid();
    const limit = Math.min(Math.max(timeoutMs ?? DEFAULT_TIMEOUT_MS, 1), LONGEST_MS);
    const { promise, resolve } = Promise.withResolvers<CallOutcome>();
    const cancel = clock.after(limit, () => settle({ kind: "timed-out" }));
    const settle = (outcome: CallOutcome): void => {
      if (!open.delete(id)) return;
      cancel();
      resolve(outcome);
    };
    open.set(id, { connId, nodeId, command, settle });
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    callee.send("node.invoke.request", { id, nodeId, command, paramsJSON, timeoutMs: limit, ...key });
    return promise;
  };

  return {
    call,

    /** False when nobody waits for this answer from this very connection: it came late, twice, or was made up. */
    answer(connId: string, answer: NodeAnswer): boolean {
      const waiting = open.get(answer.id);
      if (!waiting || waiting.connId !== connId) {
        const why = waiting ? "the call was addressed to another connection" : "nobody waits for it";
        log.warn("an answer of a node was ignored", { conn: connId.slice(0, 8), why });
        return false;
      }
      waiting.settle(readAnswer(answer));
      return true;
    },

    /** The connection is gone: whoever waits for it is told at once. */
    drop(connId: string): void {
      for (const one of open.values()) if (one.connId === connId) one.settle({ kind: "gone" });
    },
  };
}

function readAnswer({ ok, payload, payloadJSON, error }: NodeAnswer): CallOutcome {
  if (!ok) return { kind: "failed", error: readError(error) };
  if (payloadJSON && payloadJSON.length > LARGEST_ANSWER) return TOO_LARGE;
  try {
    const value = payloadJSON ? (JSON.parse(payloadJSON) as unknown) : (payload ?? null);
    // What is nested so deep that it cannot be written could be handed to nobody.
    if (JSON.stringify(value).length > LARGEST_ANSWER) return TOO_LARGE;
    return { kind: "answered", payload: value, payloadJSON: payloadJSON ?? null };
  } catch {
    return { kind: "failed", error: { code: "INVALID_ANSWER", message: "the answer is not JSON" } };
  }
}

const TOO_LARGE: CallOutcome = {
  kind: "failed",
  error: { code: "TOO_LARGE", message: `the answer is larger than ${LARGEST_ANSWER / 1024 / 1024} MB` },
};

function readError(error: NodeAnswer["error"]): NodeError {
  const code = error?.code?.slice(0, 100);
  const message = error?.message?.slice(0, 2_000);
  return { ...(code ? { code } : {}), ...(message ? { message } : {}) };
}
