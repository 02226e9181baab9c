// Tells a page of the operator's choice what came of an errand: signed, and tried again until it is taken or there is no hope.
import { createHmac } from "node:crypto";
import { pause, toGatewayError, type Clock, type ErrandDelivered } from "@chela/sdk";
import type { SafeFetch } from "../../base/http/safe-fetch.ts";

export interface PostParts {
  readonly clock: Clock;
  readonly fetch: SafeFetch;
  token(): string | undefined;
}

export interface Post {
  readonly url: string;
  /** The same for every attempt, so that the other side can tell them apart from news. */
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Aborts when the gateway stops: the next start begins anew. */
  readonly signal: AbortSignal;
}

const WAITS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 10_000;
/** Of the answer only its status matters. */
const ANSWER_BYTES = 4_096;
/** The other side is overloaded, or not there for a moment. Every other refusal is final. */
const MAY_PASS = (status: number): boolean => status >= 500 || status === 408 || status === 425 || status === 429;

/** Undefined when the gateway stops before it is known. */
export async function postResult(post: Post, parts: PostParts): Promise<ErrandDelivered | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    if (post.signal.aborted) return undefined;
    const result = await tryOnce(post, parts);
    if (result.kind === "taken") return { status: "delivered", receipts: [{ channel: "webhook", to: post.url }] };
    const wait = WAITS_MS[attempt];
    if (result.kind === "final" || wait === undefined) return { status: "not-delivered", error: result.why };
    await pause(parts.clock, wait, post.signal);
  }
}

type Attempt = { readonly kind: "taken" } | { readonly kind: "again" | "final"; readonly why: string };

async function tryOnce({ url, key, body, signal }: Post, { clock, fetch, token }: PostParts): Promise<Attempt> {
  const text = JSON.stringify(body);
  try {
    const { status } = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key, ...proofs(text, clock.now(), token()) },
      body: text,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
      whenTooLong: "cut",
      // The address was written by the operator, and may be on this very machine. Where it leads on is nobody's choice.
      maxRedirects: 0,
      allowPrivate: [new URL(url).hostname.replace(/^\[|\]$/g, "")],
      signal,
    });
    if (status >= 200 && status < 300) return { kind: "taken" };
    return { kind: MAY_PASS(status) ? "again" : "final", why: `The page answered with status ${status}.` };
  } catch (error) {
    const failure = toGatewayError(error, "FETCH_FAILED");
    return { kind: failure.row.retry === "never" ? "final" : "again", why: failure.message };
  }
}

function proofs(text: string, now: number, token: string | undefined): Record<string, string> {
  if (!token) return {};
  const seconds = Math.floor(now / 1000);
  const digest = createHmac("sha256", token).update(`${seconds}.${text}`).digest("hex");
  return { authorization: `Bearer ${token}`, "x-chela-signature": `t=${seconds},v1=${digest}` };
}
