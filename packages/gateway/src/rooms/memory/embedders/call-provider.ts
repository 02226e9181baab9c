// One request to a provider of embeddings: tried again while it is only busy, and then left with a reason that says how long.
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import type { HttpHeaders } from "@chela/sdk/http";
import { defined, parseJson } from "@chela/sdk/base";
import type { SafeFetch, SafeResponse } from "../../../base/http/safe-fetch.ts";

export interface CallParts {
  readonly provider: string;
  readonly fetch: SafeFetch;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ProviderCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The owner named the address, wherever it leads. */
  readonly isOwners: boolean;
  /** Somebody waits for the answer. */
  readonly isUrgent: boolean;
  readonly signal?: AbortSignal | undefined;
}

type Outcome =
  | { readonly kind: "answer"; readonly answer: unknown }
  | { readonly kind: "busy"; readonly why: string; readonly retryAfterMs?: number; readonly cause?: unknown }
  | { readonly kind: "refused"; readonly why: string; readonly retryAfterMs?: number };

const TIMEOUT_MS = { urgent: 10_000, patient: 60_000 };
const MOST_ATTEMPTS = { urgent: 1, patient: 3 };
const MOST_BYTES = 32 * 1024 * 1024;
/** Longer pauses are for whoever plans the work, not for a call under way. */
const LONGEST_PAUSE_MS = 20_000;
const FIRST_PAUSE_MS = 1000;
/** An empty account or a wrong key does not get better within seconds. */
const OWNER_MUST_ACT_MS = 10 * 60_000;

/** The answer's JSON. Throws MEMORY_EMBEDDING, whose cause tells `retryAfterMs` where that is known. */
export async function callProvider(call: ProviderCall, parts: CallParts): Promise<unknown> {
  const most = call.isUrgent ? MOST_ATTEMPTS.urgent : MOST_ATTEMPTS.patient;
  for (let attempt = 1; ; attempt++) {
    const outcome = await callOnce(call, parts);
    if (outcome.kind === "answer") return outcome.answer;
    const pauseMs = outcome.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
    if (outcome.kind === "refused" || attempt >= most || pauseMs > LONGEST_PAUSE_MS) throw toFailure(outcome);
    parts.log.info("A provider of embeddings is asked again", { provider: parts.provider, why: outcome.why, pauseMs });
    await pause(pauseMs, parts.clock, call.signal);
  }
}

async function callOnce(call: ProviderCall, { provider, fetch }: CallParts): Promise<Outcome> {
  const { url, headers, body, isOwners, isUrgent, signal } = call;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify(body),
      // A key goes where it was sent to, and nowhere else.
      maxRedirects: 0,
      maxBytes: MOST_BYTES,
      timeoutMs: isUrgent ? TIMEOUT_MS.urgent : TIMEOUT_MS.patient,
      idleMs: isUrgent ? TIMEOUT_MS.urgent : TIMEOUT_MS.patient,
      allowPrivate: isOwners ? [new URL(url).hostname] : [],
      ...(signal ? { signal } : {}),
    });
    return readResponse(response, provider);
  } catch (error) {
    if (signal?.aborted || !GatewayError.is(error)) throw error;
    if (error.row.retry === "later") return { kind: "busy", why: `${provider} cannot be reached`, cause: error };
    return { kind: "refused", why: error.detail };
  }
}

function readResponse({ status, headers, bytes }: SafeResponse, provider: string): Outcome {
  if (status >= 200 && status < 300) {
    const answer = parseJson(bytes.toString("utf8"));
    return answer === undefined ? { kind: "busy", why: `${provider} gave no JSON` } : { kind: "answer", answer };
  }
  if (status === 401 || status === 403) {
    return { kind: "refused", why: `${provider} does not accept the key`, retryAfterMs: OWNER_MUST_ACT_MS };
  }
  const text = bytes.toString("utf8", 0, 4000);
  if (status === 402 || (status === 429 && /insufficient_quota|billing/i.test(text))) {
    return { kind: "refused", why: `the account at ${provider} has nothing left`, retryAfterMs: OWNER_MUST_ACT_MS };
  }
  if (status === 429 || status === 408 || status >= 500) {
    const retryAfterMs = retryAfterOf(headers, text);
    const why = status === 429 ? `${provider} asks to wait` : `${provider} has trouble (HTTP ${status})`;
    return { kind: "busy", why, ...defined({ retryAfterMs }) };
  }
  if (status === 404) return { kind: "refused", why: `${provider} does not know this model or address` };
  return { kind: "refused", why: `${provider} refused the request (HTTP ${status})` };
}

/** From the headers, or from the words of the answer, as Google's: "retryDelay": "34s". */
function retryAfterOf(headers: HttpHeaders, text: string): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms"));
  if (milliseconds > 0) return milliseconds;
  const seconds = Number(headers.get("retry-after"));
  if (seconds > 0) return Math.round(seconds * 1000);
  const told = /"retryDelay":\s*"([\d.]+)s"/.exec(text)?.[1];
  return told === undefined ? undefined : Math.round(Number(told) * 1000);
}

function toFailure({ why, ...more }: Exclude<Outcome, { kind: "answer" }>): GatewayError {
  return new GatewayError("MEMORY_EMBEDDING", why, { cause: more });
}

function pause(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
