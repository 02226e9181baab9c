// Failures of calls to Slack, in the words of the channel seam. Never repeats a library's message: it may hold a token.
import { GatewayError, type SendFailure, type SendOutcome } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

export interface ApiFailure {
  readonly reason: SendFailure;
  /** Slack's own word, such as `channel_not_found`, or ours. */
  readonly code: string;
  readonly why: string;
  readonly retryAfterMs?: number;
}

const REASONS: ReadonlyArray<readonly [SendFailure, readonly string[]]> = [
  [
    "unreachable",
    [
      "channel_not_found",
      "not_in_channel",
      "is_archived",
      "user_not_found",
      "users_not_found",
      "user_disabled",
      "user_not_visible",
      "cannot_dm_bot",
      "messages_tab_disabled",
      "thread_not_found",
      "restricted_action",
      "restricted_action_read_only_channel",
      "restricted_action_thread_only_channel",
      "restricted_action_non_threadable_channel",
    ],
  ],
  [
    "unauthorised",
    [
      "invalid_auth",
      "not_authed",
      "account_inactive",
      "token_revoked",
      "token_expired",
      "user_removed_from_team",
      "team_disabled",
      "app_missing_action_url",
      "org_login_required",
      "two_factor_setup_required",
      "not_allowed_token_type",
      "access_denied",
    ],
  ],
  ["rate-limited", ["ratelimited", "rate_limited", "message_limit_exceeded"]],
  ["unavailable", ["service_unavailable", "team_added_to_org", "upload_failed"]],
  // Slack says of these that part of the work may have been done.
  ["uncertain", ["internal_error", "fatal_error", "request_timeout"]],
];

/** Nothing was sent when a connection never came about. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function failureOf(thrown: unknown): ApiFailure {
  const error = thrown as {
    code?: unknown;
    data?: unknown;
    retryAfter?: unknown;
    statusCode?: unknown;
    original?: unknown;
  };
  switch (error?.code) {
    case "slack_webapi_platform_error":
      return platformFailure(error.data);
    case "slack_webapi_rate_limited_error":
      return rateLimited(Number(error.retryAfter));
    case "slack_webapi_http_error":
      return httpFailure(Number(error.statusCode));
    default:
      return networkFailure(error?.original ?? thrown);
  }
}

function platformFailure(data: unknown): ApiFailure {
  const { error, needed } = (data ?? {}) as { error?: unknown; needed?: unknown };
  // A server in between may answer with a page instead of a word.
  const code = typeof error === "string" && /^[\w.:-]{1,80}$/.test(error) ? error : "unreadable_answer";
  if (code === "unreadable_answer") {
    return { reason: "uncertain", code, why: "the answer could not be read" };
  }
  if (code === "missing_scope") {
    const scope = typeof needed === "string" ? needed : "another scope";
    return { reason: "rejected", code, why: `the Slack app lacks ${scope}: add it and install the app again` };
  }
  const reason = REASONS.find(([, codes]) => codes.includes(code))?.[0] ?? "rejected";
  return reason === "rate-limited" ? rateLimited(1) : { reason, code, why: `Slack answered ${code}` };
}

function rateLimited(seconds: number): ApiFailure {
  const wait = Number.isFinite(seconds) && seconds > 0 ? seconds : 1;
  return {
    reason: "rate-limited",
    code: "ratelimited",
    why: `Slack asks for ${wait} s of pause`,
    retryAfterMs: wait * 1000,
  };
}

function httpFailure(status: number): ApiFailure {
  const reason = status >= 500 ? "uncertain" : "unavailable";
  return { reason, code: `http_${status}`, why: `the server answered with HTTP status ${status}` };
}

function networkFailure(error: unknown): ApiFailure {
  const code = errnoOf(error) ?? errnoOf((error as { cause?: unknown } | undefined)?.cause) ?? nameOf(error);
  if (NEVER_CONNECTED.has(code)) return { reason: "unavailable", code, why: `Slack cannot be reached (${code})` };
  return { reason: "uncertain", code, why: `the connection broke before an answer came (${code})` };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

export function failedSend(failure: ApiFailure): SendOutcome {
  return {
    kind: "failed",
    reason: failure.reason,
    why: failure.why,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs, holdsFor: "account" as const }),
  };
}

/** For the methods that reject: what the operator or the model is told. */
export function errorOf(failure: ApiFailure): GatewayError {
  switch (failure.reason) {
    case "unauthorised":
      return new GatewayError("CHANNEL_AUTH", `Slack, ${failure.why}`);
    case "rejected":
      return new GatewayError("CHANNEL_REFUSED", `Slack, ${failure.why}`);
    case "unreachable":
      return new GatewayError("CHANNEL_TARGET", `Slack, ${failure.why}`);
    default:
      return new GatewayError("CHANNEL_OFFLINE", `Slack, ${failure.why}`);
  }
}
