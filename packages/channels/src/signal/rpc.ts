// Calls signal-cli over HTTP: JSON-RPC, whether it is there, and the stream of what it receives.
import * as z from "zod";
import { GatewayError, once, type Clock } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import { createHttpFetch, type HttpFetch, type HttpRequest, type HttpResponse } from "@chela/sdk/http";

export type RpcOutcome =
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "refused"; readonly code: number; readonly message: string; readonly data?: unknown }
  /** Nobody was there to hear it. */
  | { readonly kind: "unheard"; readonly why: string }
  /** It may have been carried out, but no answer came. */
  | { readonly kind: "unanswered"; readonly why: string };

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
}

export interface SignalRpc {
  call(method: string, params: object, options?: CallOptions): Promise<RpcOutcome>;
  isThere(): Promise<boolean>;
  /** The stream, once signal-cli has begun with it. */
  listen(account: string | undefined, signal: AbortSignal): Promise<HttpResponse>;
  close(): void;
}

const CALL_MS = 30_000;
const CHECK_MS = 5000;
const LISTEN_MS = 15_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** The connection was never made, so nothing was done. */
const UNHEARD = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN", "ECONNABORTED"]);

const Answer = once(() =>
  z.union([
    z.object({ error: z.object({ code: z.number(), message: z.string().catch(""), data: z.unknown().optional() }) }),
    z.object({ result: z.unknown() }),
  ]),
);

export function openRpc(daemonUrl: string, clock: Clock): SignalRpc {
  const fetch = createHttpFetch({ maxResponseBytes: MAX_ANSWER_BYTES });
  // The stream goes on for as long as the account is connected.
  const streams = createHttpFetch({ maxResponseBytes: Number.POSITIVE_INFINITY });
  let count = 0;

  return {
    async call(method, params, options = {}) {
      count += 1;
      const body = JSON.stringify({ jsonrpc: "2.0", id: String(count), method, params });
      const door = options.maxBytes === undefined ? fetch : createHttpFetch({ maxResponseBytes: options.maxBytes });
      const request = { method: "POST", headers: { "content-type": "application/json" }, body };
      try {
        return await withTimeout(clock, options.timeoutMs ?? CALL_MS, options.signal, async (signal) =>
          readAnswer(await door(`${daemonUrl}/api/v1/rpc`, { ...request, signal })),
        );
      } catch (error) {
        return failureOf(error);
      } finally {
        if (door !== fetch) door.close();
      }
    },
    async isThere() {
      try {
        return await withTimeout(clock, CHECK_MS, undefined, async (signal) => {
          const response = await fetch(`${daemonUrl}/api/v1/check`, { signal });
          response.discard();
          return response.ok;
        });
      } catch {
        return false;
      }
    },
    async listen(account, signal) {
      const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
      const response = await beginStream(streams, `${daemonUrl}/api/v1/events${query}`, clock, signal);
      if (response.ok) return response;
      response.discard();
      throw new GatewayError("CHANNEL_OFFLINE", `signal-cli answered with status ${response.status}`);
    },
    close() {
      fetch.close();
      streams.close();
    },
  };
}

/** The time counts until `work` is done; afterwards `signal` alone can end what it began. */
async function withTimeout<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const cancel = clock.after(ms, stop);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    return await work(abort.signal);
  } finally {
    cancel();
    signal?.removeEventListener("abort", stop);
  }
}

async function beginStream(fetch: HttpFetch, url: string, clock: Clock, signal: AbortSignal): Promise<HttpResponse> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const cancel = clock.after(LISTEN_MS, stop);
  signal.addEventListener("abort", stop, { once: true });
  const request: HttpRequest = { headers: { accept: "text/event-stream" }, signal: abort.signal };
  try {
    return await fetch(url, request);
  } catch {
    throw new GatewayError("CHANNEL_OFFLINE", "signal-cli does not hand out messages");
  } finally {
    cancel();
  }
}

/** Refusals come with status 200 and with others; what counts is what the body says. */
async function readAnswer(response: HttpResponse): Promise<RpcOutcome> {
  const text = await response.text();
  const read = Answer().safeParse(parseJson(text));
  if (!read.success) {
    const why = `signal-cli answered with status ${response.status} and no JSON`;
    return response.status >= 500 || response.ok
      ? { kind: "unanswered", why }
      : { kind: "refused", code: response.status, message: why };
  }
  if ("error" in read.data) return { kind: "refused", ...read.data.error };
  return { kind: "done", result: read.data.result };
}

/** The library's own words are left out: they may hold the address, and a password in it. */
function failureOf(error: unknown): RpcOutcome {
  const code = errnoOf(error);
  if (code !== undefined && UNHEARD.has(code)) return { kind: "unheard", why: `signal-cli is not there (${code})` };
  if (error instanceof Error && error.name === "AbortError") {
    return { kind: "unanswered", why: "signal-cli did not answer in time" };
  }
  if (error instanceof RangeError) return { kind: "refused", code: 413, message: "the answer is too long" };
  return { kind: "unanswered", why: `the connection to signal-cli broke${code ? ` (${code})` : ""}` };
}

/** For calls whose failure is told to whoever asked. */
export function expectDone(outcome: RpcOutcome, what: string): unknown {
  if (outcome.kind === "done") return outcome.result;
  if (outcome.kind === "refused") {
    throw new GatewayError("CHANNEL_REFUSED", `${what} (${shorten(outcome.message)})`);
  }
  throw new GatewayError("CHANNEL_OFFLINE", `${what}: ${outcome.why}`);
}

/** What signal-cli says can be long and of several lines. */
export function shorten(message: string): string {
  const line = message.split("\n", 1)[0]?.trim() ?? "";
  return line.length > 200 ? `${line.slice(0, 199)}…` : line || "no reason given";
}
