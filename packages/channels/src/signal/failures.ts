// Translates failures of signal-cli into send failures.
import type { SendFailure, SendOutcome } from "@chela/sdk";
import { shorten, type RpcOutcome } from "./rpc.ts";
import { SendResult } from "./wire.ts";

type Failed = Extract<SendOutcome, { kind: "failed" }>;

export const failed = (reason: SendFailure, why: string): Failed => ({ kind: "failed", reason, why });

/** Codes of signal-cli's own, beside those of JSON-RPC. */
const UNTRUSTED = -4;
const RATE_LIMITED = -5;
const CAPTCHA_REFUSED = -6;
const INVALID_PARAMS = -32_602;
const DEFAULT_REST_MS = 5 * 60_000;

/** Undefined when at least one recipient got it: a group does not wait for one who is gone. */
export function failureInResults(result: unknown): Failed | undefined {
  const read = SendResult().safeParse(result);
  const results = read.success ? (read.data.results ?? []) : [];
  const [first] = results;
  if (!first || results.some(({ type }) => type === "SUCCESS")) return undefined;
  const limited = results.find(({ type }) => /PROOF_REQUIRED|RATE_LIMIT/.test(type));
  if (limited) return rateLimited(limited.retryAfterSeconds);
  switch (first.type) {
    case "UNREGISTERED_FAILURE":
      return failed("unreachable", "the recipient is not on Signal");
    case "IDENTITY_FAILURE":
      return failed("unreachable", "the recipient's safety number changed; trust it anew with signal-cli trust");
    case "NETWORK_FAILURE":
      return failed("unavailable", "signal-cli has no connection to Signal");
    default:
      return failed("rejected", `signal-cli says ${shorten(first.type)}`);
  }
}

export function toFailure(outcome: Exclude<RpcOutcome, { kind: "done" }>): Failed {
  if (outcome.kind === "unheard") return failed("unavailable", outcome.why);
  if (outcome.kind === "unanswered") return failed("uncertain", outcome.why);
  const { code, message, data } = outcome;
  const told = failureInResults((data as { response?: unknown } | null | undefined)?.response);
  if (told) return told;
  const why = shorten(message);
  if (code === RATE_LIMITED || code === CAPTCHA_REFUSED) return rateLimited(secondsIn(message));
  if (code === UNTRUSTED || /untrusted identity/i.test(message)) return failed("unreachable", why);
  if (/account.*(?:does not exist|parameter)|not registered with|authorization failed/i.test(message)) {
    return failed("unauthorised", why);
  }
  if (/not registered|unregistered|group not found|not a (?:group )?member|sending .*not allowed/i.test(message)) {
    return failed("unreachable", why);
  }
  if (/proof|captcha|rate.?limit|429/i.test(message)) return rateLimited(secondsIn(message));
  if (/attachment/i.test(message) || code === INVALID_PARAMS || code === -32_601 || code === -32_600) {
    return failed("rejected", why);
  }
  return failed(code === -1 || (code >= 400 && code < 500) ? "rejected" : "unavailable", why);
}

function rateLimited(seconds: number | null | undefined): Failed {
  return {
    ...failed("rate-limited", "Signal wants fewer messages, or a captcha: see signal-cli submitRateLimitChallenge"),
    retryAfterMs: seconds ? seconds * 1000 : DEFAULT_REST_MS,
    holdsFor: "account",
  };
}

function secondsIn(message: string): number | undefined {
  const [, digits] = /"?(\d{1,7})"? seconds/.exec(message) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
