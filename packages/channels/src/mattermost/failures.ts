// Failures of requests to Mattermost, in the words of the channel seam. Never repeats a library's message.
import { GatewayError, type SendFailure, type SendOutcome } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

export interface ApiFailure {
  readonly reason: SendFailure;
  readonly status: number | undefined;
  readonly why: string;
  readonly retryAfterMs?: number;
}

const DEFAULT_REST_SECONDS = 1;
const LONGEST_REST_SECONDS = 600;
/** Nothing was sent when a connection never came about. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** `word` is the server's own id of the error, such as `api.post.create_post.root_id.app_error`. */
export function failureOfStatus(status: number, word: string, headers: Headers): ApiFailure {
  const why = `Mattermost answered with status ${status}${word === "" ? "" : ` (${word})`}`;
  if (status === 429) {
    const seconds = Number(headers.get("x-ratelimit-reset") ?? headers.get("retry-after"));
    const rest = seconds > 0 ? Math.min(seconds, LONGEST_REST_SECONDS) : DEFAULT_REST_SECONDS;
    return { reason: "rate-limited", status, why, retryAfterMs: rest * 1000 };
  }
  return { reason: reasonOf(status), status, why };
}

function reasonOf(status: number): SendFailure {
  if (status === 401) return "unauthorised";
  if (status === 403 || status === 404) return "unreachable";
  return status >= 500 ? "uncertain" : "rejected";
}

export function failureOfNetwork(error: unknown): ApiFailure {
  if (GatewayError.is(error) && error.code === "FETCH_REFUSED") {
    return { reason: "unavailable", status: undefined, why: "the address of the server may not be reached from here" };
  }
  const code = errnoOf(error) ?? errnoOf((error as { cause?: unknown } | undefined)?.cause);
  if (code !== undefined && NEVER_CONNECTED.has(code)) {
    return { reason: "unavailable", status: undefined, why: `Mattermost cannot be reached (${code})` };
  }
  return {
    reason: "uncertain",
    status: undefined,
    why: `no answer came from Mattermost (${code ?? "timeout or break"})`,
  };
}

export function failedSend(failure: ApiFailure): SendOutcome {
  const { reason, why, retryAfterMs } = failure;
  return {
    kind: "failed",
    reason,
    why,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs, holdsFor: "account" }),
  };
}

/** What went wrong before a post was handed over: it was not sent, whatever else is unknown. */
export function notSent(failure: ApiFailure): SendOutcome {
  return failedSend(failure.reason === "uncertain" ? { ...failure, reason: "unavailable" } : failure);
}

export function errorOf(failure: ApiFailure): GatewayError {
  const code = (
    {
      unauthorised: "CHANNEL_AUTH",
      unreachable: "CHANNEL_TARGET",
      rejected: "CHANNEL_REFUSED",
    } as const
  )[failure.reason as "unauthorised" | "unreachable" | "rejected"];
  return new GatewayError(code ?? "CHANNEL_OFFLINE", failure.why);
}
