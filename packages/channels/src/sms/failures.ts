// Translates failed calls to Twilio: whether another attempt is worth it, and what an operator can do.
import * as z from "zod";
import { GatewayError, once, type SendFailure } from "@chela/sdk";

export interface CallFailed {
  readonly kind: "failed";
  readonly reason: SendFailure;
  readonly why: string;
  readonly retryAfterMs?: number;
  readonly holdsFor?: "chat" | "account";
}

const failed = (reason: SendFailure, why: string): CallFailed => ({ kind: "failed", reason, why });

const BY_CODE: Readonly<Record<number, CallFailed>> = {
  20003: failed("unauthorised", "Twilio does not take accountSid and authToken"),
  20005: failed("unauthorised", "the Twilio account is not active"),
  20404: failed("unauthorised", "Twilio does not know the account, or what belongs to it"),
  20008: failed("unauthorised", "these are Twilio's test credentials, which send nothing"),
  21212: failed("unauthorised", "Twilio does not know the number in from"),
  21603: failed("unauthorised", "Twilio has no number to send from; set from or messagingServiceSid"),
  21606: failed("unauthorised", "the number in from is not one of this account that can send messages"),
  21659: failed("unauthorised", "the number in from is not one of Twilio's, or cannot write to that country"),
  21660: failed("unauthorised", "the number in from belongs to another account"),
  21701: failed("unauthorised", "Twilio does not know the messaging service"),
  21703: failed("unauthorised", "the messaging service has no number"),
  21211: failed("unreachable", "this is no number Twilio can write to"),
  21266: failed("unreachable", "this is the number messages are sent from"),
  21408: failed("unreachable", "the account may not write to that country; allow it in Twilio's console"),
  21608: failed("unreachable", "a trial account can only write to numbers that are verified in Twilio's console"),
  21610: failed("unreachable", "this person has opted out with STOP; they can write START to hear from us again"),
  21612: failed("unreachable", "there is no way from our number to this one"),
  21614: failed("unreachable", "this number is no mobile telephone"),
  21635: failed("unreachable", "this number is a landline"),
  21602: failed("rejected", "there is no text in it"),
  21605: failed("rejected", "the text is longer than Twilio takes"),
  21617: failed("rejected", "the text is longer than Twilio takes"),
};

/** Too much at once, as a status or as a full queue behind our number. */
const RATE_CODES = [20429, 21611];
const PAUSE_MS = 10_000;

const Refusal = once(() => z.object({ code: z.number() }));

/** Twilio's own words are left out: they may quote what was sent. Its number leads to its documentation. */
export function failureOfAnswer(answer: unknown, status: number, retryAfter: string | null): CallFailed {
  const code = Refusal().safeParse(answer).data?.code;
  if (status === 429 || RATE_CODES.includes(code ?? 0)) {
    const retryAfterMs = Number(retryAfter) > 0 ? Number(retryAfter) * 1000 : PAUSE_MS;
    return {
      ...failed("rate-limited", numbered("too many messages at once", code)),
      retryAfterMs,
      holdsFor: "account",
    };
  }
  const known = BY_CODE[code ?? 0];
  if (known) return { ...known, why: numbered(known.why, code) };
  if (status === 401 || status === 403) {
    return failed("unauthorised", numbered("Twilio does not allow this with accountSid and authToken", code));
  }
  if (status >= 500) return failed("unavailable", numbered("Twilio had an error of its own", code));
  // It was taken, and what came back cannot be read.
  if (status < 300) return failed("uncertain", "Twilio's answer cannot be read");
  return failed("rejected", numbered(`Twilio refused it with status ${status}`, code));
}

function numbered(why: string, code: number | undefined): string {
  return code === undefined ? why : `${why} (${code})`;
}

const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

export function failureOfNetwork(error: unknown): CallFailed {
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  const isRefused = GatewayError.is(error) && error.code === "FETCH_REFUSED";
  if (isRefused || (typeof code === "string" && NEVER_SENT.includes(code))) {
    return failed("unavailable", "Twilio cannot be reached");
  }
  return failed("uncertain", "no answer came from Twilio");
}

/** For calls that are no messages: what they have to say is thrown. */
export function asError({ reason, why }: CallFailed): GatewayError {
  if (reason === "unauthorised") return new GatewayError("CHANNEL_AUTH", why);
  return new GatewayError(reason === "rejected" ? "CHANNEL_REFUSED" : "CHANNEL_OFFLINE", why);
}
