// Translates refusals by WhatsApp or the library into send failures.
import type { SendFailure, SendOutcome } from "@chela/sdk";
import { statusOf } from "./link/disconnects.ts";

type Failed = Extract<SendOutcome, { kind: "failed" }>;

export function failed(reason: SendFailure, why: string, more: Partial<Failed> = {}): Failed {
  return { kind: "failed", reason, why, ...more };
}

interface Meaning {
  readonly reason: SendFailure;
  readonly why: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  400: { reason: "rejected", why: "WhatsApp does not take this message" },
  401: { reason: "unauthorised", why: "the account is not linked any more" },
  403: { reason: "unreachable", why: "the account may not write there; it may have left the group" },
  404: { reason: "unreachable", why: "there is no such person or group" },
  406: { reason: "unreachable", why: "there is no such person or group" },
  408: { reason: "unavailable", why: "WhatsApp did not answer in time" },
  413: { reason: "rejected", why: "the file is too large for WhatsApp" },
  428: { reason: "unavailable", why: "the connection was closed" },
  463: { reason: "rejected", why: "WhatsApp does not let this account begin new chats at the moment" },
  479: { reason: "unavailable", why: "the keys for this chat were out of date" },
  500: { reason: "unavailable", why: "WhatsApp had an error of its own" },
  503: { reason: "unavailable", why: "WhatsApp is not available at the moment" },
};
const PAUSE_MS = 60_000;

/** From the number WhatsApp gives, as an answer to the message or to a question before it. */
export function failureOfStatus(status: string): Failed {
  if (status === "429") {
    return failed("rate-limited", "WhatsApp asks for a pause", { retryAfterMs: PAUSE_MS, holdsFor: "account" });
  }
  const meaning = MEANINGS[status];
  return meaning ? failed(meaning.reason, meaning.why) : failed("rejected", `WhatsApp refused it (${status})`);
}

/** Thrown before the message itself went out: everything the library does first are questions and uploads. */
export function failureOfError(error: unknown): Failed {
  const status = statusOf(error) ?? (error as { data?: unknown } | undefined)?.data;
  if (typeof status === "number") return failureOfStatus(String(status));
  return failed("unavailable", "the message could not be prepared");
}
