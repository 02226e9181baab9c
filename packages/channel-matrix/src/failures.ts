// Translates refusals of the homeserver: for a delivery, for a start, for whoever asked for something.
import { GatewayError, type SendOutcome } from "@chela/sdk";
import type { ApiResult } from "./api.ts";

type Failed = Exclude<ApiResult, { kind: "done" }>;
type SendFailed = Extract<SendOutcome, { kind: "failed" }>;

const DEFAULT_WAIT_MS = 5_000;
const GONE = new Set(["M_FORBIDDEN", "M_NOT_FOUND", "M_GUEST_ACCESS_FORBIDDEN", "M_UNKNOWN_ROOM"]);

export function isTokenRefused(result: ApiResult): boolean {
  return (
    result.kind === "refused" && ["M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED"].includes(result.code)
  );
}

/** The device and its keys are still there; only the token is over. */
export function isSoftLogout(result: ApiResult): boolean {
  return result.kind === "refused" && result.isSoftLogout === true;
}

export function toSendFailure(result: Failed): SendFailed {
  const failed = (reason: SendFailed["reason"]): SendFailed => ({ kind: "failed", reason, why: result.why });
  if (result.kind === "unreachable") return failed(result.mayHaveArrived ? "uncertain" : "unavailable");
  if (isTokenRefused(result)) return failed("unauthorised");
  if (result.status === 429 || result.code === "M_LIMIT_EXCEEDED") {
    return { ...failed("rate-limited"), retryAfterMs: result.retryAfterMs ?? DEFAULT_WAIT_MS, holdsFor: "account" };
  }
  if (result.status >= 500) return failed("unavailable");
  return failed(GONE.has(result.code) ? "unreachable" : "rejected");
}

/** For what cannot be told as a value. */
export function toError(result: Failed, what: string): GatewayError {
  const detail = `${what}: ${result.why}`;
  if (result.kind === "unreachable" || result.status >= 500 || result.status === 429) {
    return new GatewayError("CHANNEL_OFFLINE", detail);
  }
  return new GatewayError(isTokenRefused(result) ? "CHANNEL_AUTH" : "CHANNEL_REFUSED", detail);
}

/** The body, or the error that tells why there is none. */
export function expectDone(result: ApiResult, what: string): unknown {
  if (result.kind === "done") return result.body;
  throw toError(result, what);
}
