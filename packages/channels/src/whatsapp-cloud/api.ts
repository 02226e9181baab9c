// Calls Meta's Graph API: one way for every call, with a time limit, and without the token in any error.
import * as z from "zod";
import { once, type ChannelHost, type SendFailure } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { readTextAtMost } from "@chela/sdk/http";
import type { WhatsAppCloudAccount } from "./config.ts";

export interface CallFailed {
  readonly kind: "failed";
  readonly reason: SendFailure;
  readonly why: string;
  readonly retryAfterMs?: number;
  readonly holdsFor?: "chat" | "account";
}
export type Called = { readonly kind: "done"; readonly result: unknown } | CallFailed;

export interface CallBody {
  readonly type: string;
  readonly bytes: string | Uint8Array;
}

export interface CloudApi {
  /** Below our number, such as "/messages"; "" is the number itself. */
  callNumber(path: string, body?: CallBody, signal?: AbortSignal): Promise<Called>;
  get(path: string, signal?: AbortSignal): Promise<Called>;
}

const TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 180_000;
const MOST_ANSWER_BYTES = 1024 * 1024;

export function createApi(account: WhatsAppCloudAccount, host: ChannelHost): CloudApi {
  const call = async (path: string, body?: CallBody, signal?: AbortSignal): Promise<Called> => {
    const timeout = AbortSignal.timeout(body?.bytes instanceof Uint8Array ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
    const headers = { authorization: `Bearer ${account.accessToken.reveal()}`, accept: "application/json" };
    try {
      const response = await host.fetch(`${account.api}${path}`, {
        method: body ? "POST" : "GET",
        headers: body ? { ...headers, "content-type": body.type } : headers,
        ...(body ? { body: body.bytes as NonNullable<RequestInit["body"]> } : {}),
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return await readAnswer(response);
    } catch (error) {
      return failureOfNetwork(error);
    }
  };
  return {
    callNumber: (path, body, signal) => call(`/${account.phoneNumberId}${path}`, body, signal),
    get: (path, signal) => call(path, undefined, signal),
  };
}

export function jsonBody(value: unknown): CallBody {
  return { type: "application/json", bytes: JSON.stringify(value) };
}

const Refusal = once(() => z.object({ error: z.object({ code: z.number(), message: z.string().optional() }) }));

async function readAnswer(response: Response): Promise<Called> {
  const text = await readTextAtMost(response, MOST_ANSWER_BYTES);
  const result = parseJson(text);
  if (response.ok && result !== undefined) return { kind: "done", result };
  const code = Refusal().safeParse(result).data?.error.code;
  const retryAfter = Number(response.headers.get("retry-after"));
  return failureOf(code, response.status, retryAfter > 0 ? retryAfter * 1000 : undefined);
}

const failed = (reason: SendFailure, why: string): CallFailed => ({ kind: "failed", reason, why });

const BY_CODE: Readonly<Record<number, CallFailed>> = {
  3: failed("unauthorised", "the app may not use the WhatsApp Business API"),
  10: failed("unauthorised", "the access token has no permission for this"),
  33: failed("unauthorised", "phoneNumberId is not one of this access token's numbers"),
  190: failed("unauthorised", "Meta does not take the access token; it may have expired"),
  368: failed("unauthorised", "Meta has blocked the account for breaking its rules"),
  131031: failed("unauthorised", "Meta has locked the account"),
  131045: failed("unauthorised", "the number is not registered for the Cloud API"),
  131026: failed("unreachable", "this number cannot be reached on WhatsApp"),
  131030: failed("unreachable", "the app is in test mode, and this number is not on its list of recipients"),
  131047: failed(
    "rejected",
    "this person has not written for 24 hours, and WhatsApp then takes only templates; wait until they write",
  ),
  131049: failed("rejected", "WhatsApp keeps this message back to protect the person from too many of them"),
  131051: failed("rejected", "WhatsApp does not know this kind of message"),
  131052: failed("rejected", "the file could not be fetched by WhatsApp"),
  131053: failed("rejected", "WhatsApp does not take this file: its kind or its size is not allowed"),
};

const PAUSE_MS = 60_000;
const RATE_CODES: Readonly<Record<number, "chat" | "account">> = {
  4: "account",
  80007: "account",
  130429: "account",
  131048: "account",
  131056: "chat",
};

/** Meta's own words are left out: they may quote what was sent. Its number leads to its documentation. */
function failureOf(code: number | undefined, status: number, retryAfterMs: number | undefined): CallFailed {
  const holdsFor = RATE_CODES[code ?? 0] ?? (status === 429 ? "account" : undefined);
  if (holdsFor) {
    const why = holdsFor === "chat" ? "too many messages to this person at once" : "too many messages at once";
    return { ...failed("rate-limited", numbered(why, code)), retryAfterMs: retryAfterMs ?? PAUSE_MS, holdsFor };
  }
  const known = BY_CODE[code ?? 0];
  if (known) return { ...known, why: numbered(known.why, code) };
  if (status === 401 || (code !== undefined && code >= 200 && code < 300)) {
    return failed("unauthorised", numbered("Meta does not allow this with the access token", code));
  }
  if (status >= 500 || [1, 2, 131000, 131016, 133004].includes(code ?? 0)) {
    return failed("unavailable", numbered("Meta had an error of its own", code));
  }
  return failed("rejected", numbered(`Meta refused it with status ${status}`, code));
}

function numbered(why: string, code: number | undefined): string {
  return code === undefined ? why : `${why} (${code})`;
}

const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

function failureOfNetwork(error: unknown): CallFailed {
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  if (typeof code === "string" && NEVER_SENT.includes(code)) return failed("unavailable", "Meta cannot be reached");
  return failed("uncertain", "no answer came from Meta");
}
