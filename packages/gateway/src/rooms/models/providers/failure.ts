// Turns whatever a provider throws or answers into one of the reasons that decide what happens next.
import { defined } from "@chela/sdk/base";
import type { ModelFailure, ModelFailureReason } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { TOO_LONG } from "./answer-limits.ts";

/** What is known about an error, from whichever layer it came. */
interface Evidence {
  readonly status?: number;
  /** Everything the provider wrote, for recognising; never shown. */
  readonly text: string;
  /** What the provider says in words. */
  readonly says: string;
  readonly errno?: string;
  readonly errorName: string;
  readonly retryAfterMs?: number;
}

interface Rule {
  readonly reason: ModelFailureReason;
  readonly status?: readonly number[];
  readonly text?: RegExp;
  readonly errno?: RegExp;
  readonly errorName?: RegExp;
}

/** The first rule that fits decides. Words come before numbers, because providers share few numbers and many meanings. */
const RULES: readonly Rule[] = [
  { reason: "endless", errno: new RegExp(`^${TOO_LONG}$`) },
  { reason: "rate-limit", status: [429], text: /RESOURCE_EXHAUSTED|rate.?limit/i },
  {
    reason: "context-overflow",
    text: /context_length_exceeded|maximum context length|prompt is too long|input length and `max_tokens` exceed|exceeds? the (maximum|available) (number of tokens|context)|input token count .{0,40}exceeds|context window|request_too_large|larger than the context|exceeds the context|input is too long|reduce the length of the messages/i,
  },
  {
    reason: "billing",
    text: /insufficient_quota|credit balance is too low|insufficient (balance|credits|funds)|billing_(not_active|hard_limit)|payment required|enable billing|INVALID_PAYMENT_INSTRUMENT|exceeded your current quota/i,
  },
  { reason: "billing", status: [402] },
  {
    reason: "auth",
    text: /invalid_api_key|incorrect api key|api key not valid|API_KEY_INVALID|invalid x-api-key|authentication_error|permission_error|unauthenticated|no auth credentials/i,
  },
  { reason: "auth", status: [401, 403] },
  {
    reason: "refused",
    text: /content_policy|content_filter|content management policy|PROHIBITED_CONTENT|usage policies/i,
  },
  { reason: "overloaded", text: /overloaded|UNAVAILABLE|server_is_overloaded|high demand|capacity/i },
  { reason: "rate-limit", status: [429] },
  { reason: "rate-limit", text: /rate_limit_(error|exceeded)|too many requests|RESOURCE_EXHAUSTED/i },
  { reason: "timeout", status: [408, 504] },
  { reason: "timeout", text: /DEADLINE_EXCEEDED|timeout_error/ },
  { reason: "not-found", status: [404] },
  {
    reason: "not-found",
    text: /model_not_found|not_found_error|model .{0,80} (not found|does not exist)|model identifier is invalid/i,
  },
  { reason: "overloaded", status: [503, 529] },
  { reason: "server-error", status: [500, 502, 520, 521, 522, 524] },
  { reason: "server-error", text: /server_error|api_error|internal (server )?error/i },
  { reason: "bad-request", status: [400, 405, 409, 413, 415, 422, 300, 301, 302, 303, 307, 308] },
  { reason: "bad-request", text: /invalid_request|INVALID_ARGUMENT/i },
  { reason: "timeout", errno: /ETIMEDOUT|ESOCKETTIMEDOUT/ },
  { reason: "timeout", errorName: /TimeoutError/ },
  { reason: "bad-request", errno: /^ERR_(INVALID|UNESCAPED|HTTP)/ },
  { reason: "malformed", errno: /^HPE_/ },
  { reason: "network", errno: /./ },
  {
    reason: "network",
    text: /ended without a finish reason|cannot connect|socket hang up|\baborted\b|\bterminated\b/i,
  },
  {
    reason: "malformed",
    errorName: /JSONParse|TypeValidation|InvalidResponseData|NoContent|EmptyResponse|RangeError|SyntaxError|ZodError/i,
  },
];

const RETRY: Readonly<Record<ModelFailureReason, ModelFailure["retry"]>> = {
  auth: "never",
  billing: "never",
  "rate-limit": "later",
  overloaded: "later",
  "server-error": "later",
  "context-overflow": "never",
  refused: "never",
  "bad-request": "never",
  "not-found": "never",
  network: "now",
  timeout: "later",
  malformed: "now",
  endless: "never",
  budget: "never",
  unknown: "never",
};

/** A server that is not there, or cannot be trusted, will not be better a moment later. */
const NOT_AT_ONCE = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT|SIGNATURE/;

export interface FailureContext {
  readonly provider: string;
  /** Values that must not appear in a message. */
  readonly secrets: readonly string[];
}

export function toFailure(error: unknown, context: FailureContext): ModelFailure {
  const evidence = gather(error);
  const reason = RULES.find((rule) => fits(rule, evidence))?.reason ?? "unknown";
  const retry = reason === "network" && NOT_AT_ONCE.test(evidence.errno ?? "") ? "later" : RETRY[reason];
  return {
    reason,
    message: describe(evidence, context),
    retry,
    ...(evidence.status === undefined ? {} : { status: evidence.status }),
    ...(evidence.retryAfterMs === undefined ? {} : { retryAfterMs: evidence.retryAfterMs }),
  };
}

export function makeFailure(reason: ModelFailureReason, message: string): ModelFailure {
  return { reason, message, retry: RETRY[reason] };
}

/** The connection closed before the model had said that it is done. */
export function cutFailure(provider: string): ModelFailure {
  return makeFailure("network", `${provider} closed the connection before the answer was complete`);
}

function fits(rule: Rule, evidence: Evidence): boolean {
  if (rule.status && !(evidence.status !== undefined && rule.status.includes(evidence.status))) return false;
  if (rule.text && !rule.text.test(evidence.text)) return false;
  if (rule.errno && !(evidence.errno !== undefined && rule.errno.test(evidence.errno))) return false;
  return !rule.errorName || rule.errorName.test(evidence.errorName);
}

function describe(evidence: Evidence, context: FailureContext): string {
  const status = evidence.status === undefined ? "" : ` answered ${evidence.status}`;
  const isKnown = evidence.errno === TOO_LONG || evidence.says.includes(evidence.errno ?? "");
  const errno = evidence.errno && !isKnown ? ` (${evidence.errno})` : "";
  return redact(`${context.provider}${status}: ${evidence.says || "no reason given"}${errno}`, context.secrets);
}

function redact(text: string, secrets: readonly string[]): string {
  let clean = text.replace(/\s+/g, " ").trim();
  for (const secret of secrets) if (secret.length >= 6) clean = clean.replaceAll(secret, "[redacted]");
  // Providers repeat parts of a wrong key in their answer, and some proxies the whole of it.
  clean = clean.replace(/\b(sk|pk|rk|gsk|xai|AIza)[-_]?[A-Za-z0-9*_-]{8,}/g, "[redacted]");
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

function gather(error: unknown): Evidence {
  const chain = causesOf(error);
  const status = firstNumber(chain, "statusCode") ?? firstNumber(chain, "status");
  const body = firstString(chain, "responseBody");
  const errno = chain
    .map((link) => errnoOf(link))
    .find((code) => code !== undefined && /^(E[A-Z]|HPE_)|CERT|SIGNATURE/.test(code));
  const parsed = body === undefined ? undefined : parseJson(body);
  const says = messageIn(parsed) ?? messageIn(error) ?? firstString(chain, "message") ?? String(error);
  const headers = chain.map((link) => property(link, "responseHeaders")).find((value) => value !== undefined);
  const retryAfterMs = retryAfter(headers, `${body ?? ""} ${says}`);
  return {
    text: [body ?? stringify(error), says, ...chain.map((link) => String(property(link, "message") ?? ""))].join(" "),
    says,
    errorName: chain.map((link) => String(property(link, "name") ?? "")).join(" "),
    ...defined({ status, errno, retryAfterMs }),
  };
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < 6; link = property(link, "cause")) {
    chain.push(link);
  }
  return chain;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function firstNumber(chain: readonly unknown[], name: string): number | undefined {
  return chain.map((link) => property(link, name)).find((value) => typeof value === "number");
}

function firstString(chain: readonly unknown[], name: string): string | undefined {
  return chain.map((link) => property(link, name)).find((value) => typeof value === "string" && value !== "") as
    | string
    | undefined;
}

/** Providers write `{error: {message}}`, `{error: "…"}`, `{message}`, or a list of one of these. */
function messageIn(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (first instanceof Error) return undefined;
  const error = property(first, "error") ?? property(property(first, "response"), "error");
  for (const candidate of [property(error, "message"), error, property(first, "message"), first]) {
    if (typeof candidate === "string" && candidate !== "") return candidate;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Proxies answer with HTML or plain words; then the first line is the message.
    return {
      message: text
        .replace(/<[^>]*>/g, " ")
        .trim()
        .split("\n")[0]
        ?.slice(0, 200),
    };
  }
}

function stringify(value: unknown): string {
  if (value instanceof Error) return value.message;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return String(value);
  }
}

/** From the headers, or from the words: "try again in 1.5s", `"retryDelay": "34s"`. */
function retryAfter(headers: unknown, text: string): number | undefined {
  const milliseconds = Number(property(headers, "retry-after-ms"));
  if (milliseconds > 0) return milliseconds;
  const seconds = Number(property(headers, "retry-after"));
  if (seconds > 0) return Math.round(seconds * 1000);
  const words = /(?:try again in|"retryDelay":\s*")\s*([\d.]+)\s*(ms|s)/i.exec(text);
  return words ? Math.round(Number(words[1]) * (words[2]?.toLowerCase() === "ms" ? 1 : 1000)) : undefined;
}
