// Translates failed calls to Discord for a delivery, in words without addresses and tokens.
import { GatewayError, type ErrorCode, type SendFailure, type SendOutcome } from "@chela/sdk";

type Failed = Extract<SendOutcome, { kind: "failed" }>;

/** Discord's own error numbers that name a recipient nobody can write to. */
const UNREACHABLE = new Map([
  [10_003, "this channel does not exist, or the bot cannot see it"],
  [10_008, "this message does not exist any more"],
  [10_013, "there is no such user"],
  [50_001, "the bot has no access to this channel"],
  [50_007, "this user takes no direct messages from the bot"],
  [50_013, "the bot lacks a permission there"],
  [50_278, "this user shares no server with the bot"],
]);
/** Connections that were never made: nothing was written. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);
/** Errors of ours about the message itself; any other, such as a full disk, may be gone at the next attempt. */
const NEVER: ReadonlySet<ErrorCode> = new Set(["CHANNEL_REFUSED", "CHANNEL_TARGET", "MEDIA_REFUSED"]);
/** Set by the library after Discord refused the token once. */
const NO_TOKEN = /^Expected token to be set/;

export function failureOf(error: unknown): Failed {
  if (error instanceof GatewayError) return failed(NEVER.has(error.code) ? "rejected" : "unavailable", error.detail);
  if (!(error instanceof Error)) return failed("uncertain", "the call failed in a way nobody expected");
  const { status, code, retryAfter, global } = error as Error & Facts;
  if (retryAfter !== undefined && error.name.startsWith("RateLimitError")) return slowDown(retryAfter, global === true);
  if (status === 401 || NO_TOKEN.test(error.message))
    return failed("unauthorised", "Discord does not accept the bot token");
  if (status !== undefined && status >= 500)
    return failed("unavailable", `Discord answered with an error of its own (${status})`);
  if (status !== undefined) return refusal(status, code, error);
  if (typeof code === "string" && NOT_CONNECTED.has(code))
    return failed("unavailable", `no connection to Discord (${code})`);
  return failed("uncertain", "the connection broke before Discord answered");
}

interface Facts {
  readonly status?: number;
  readonly code?: number | string;
  readonly retryAfter?: number;
  readonly global?: boolean;
  readonly rawError?: { readonly message?: unknown };
}

function refusal(status: number, code: Facts["code"], error: Error & Facts): Failed {
  const known = typeof code === "number" ? UNREACHABLE.get(code) : undefined;
  if (known !== undefined) return failed("unreachable", known);
  const said = error.rawError?.message;
  // The library's own text names the address, which may hold a token: only what Discord said is repeated.
  const words = typeof said === "string" ? `: ${said.slice(0, 120)}` : "";
  return failed(
    "rejected",
    `Discord refused it (${status}${typeof code === "number" && code > 0 ? `, ${code}` : ""})${words}`,
  );
}

function slowDown(retryAfter: number, isGlobal: boolean): Failed {
  return {
    kind: "failed",
    reason: "rate-limited",
    why: isGlobal ? "Discord asks the whole bot to wait" : "Discord asks to wait in this channel",
    retryAfterMs: Math.max(0, Math.ceil(retryAfter)),
    holdsFor: isGlobal ? "account" : "chat",
  };
}

function failed(reason: SendFailure, why: string): Failed {
  return { kind: "failed", reason, why };
}

/** For everything but sending, where a failure is thrown. */
export function toChannelError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const { reason, why } = failureOf(error);
  switch (reason) {
    case "unauthorised":
      return new GatewayError("CHANNEL_AUTH", why);
    case "unreachable":
    case "rejected":
      return new GatewayError("CHANNEL_REFUSED", why);
    default:
      return new GatewayError("CHANNEL_OFFLINE", why);
  }
}
