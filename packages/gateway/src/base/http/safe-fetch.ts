// The one way to fetch an address that somebody else chose: only public addresses, checked before each hop, with limits on everything.
import type { Clock } from "@chela/sdk";
import { HttpHeaders, type HeaderInput } from "@chela/sdk/http";
import { ENCODINGS, readBody, type Body } from "./safe-fetch-body.ts";
import { dialDirectly, sendTo, type Dial, type WireRequest } from "./safe-fetch-connect.ts";
import { startPatience, type Patience } from "./safe-fetch-patience.ts";
import { redirectOf, requestAfter, tooManyRedirects } from "./safe-fetch-redirect.ts";
import { findTarget, resolveBySystem, type ResolveHost, type Target } from "./safe-fetch-target.ts";

export interface SafeFetchParts {
  readonly clock: Clock;
  /** The operating system's resolver unless given. */
  readonly resolve?: ResolveHost;
  /** For tests: leads a checked address to a server of theirs. */
  readonly dial?: Dial;
}

export interface SafeRequest {
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: HeaderInput;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Unpacked bytes; 5 MB unless told otherwise. */
  readonly maxBytes?: number;
  /** "fail" unless told otherwise. */
  readonly whenTooLong?: "fail" | "cut";
  /** 3 unless told otherwise. */
  readonly maxRedirects?: number;
  /** For everything together; 30 seconds unless told otherwise. */
  readonly timeoutMs?: number;
  /** Without a byte arriving; 15 seconds unless told otherwise. */
  readonly idleMs?: number;
  /** Hosts, addresses and ranges the operator trusts though they are not public. Never filled by a model. */
  readonly allowPrivate?: readonly string[];
}

export interface SafeResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly bytes: Buffer;
  /** The body was longer than `maxBytes`, and only its beginning is here. */
  readonly isCut: boolean;
}

/** Rejects with FETCH_REFUSED, FETCH_FAILED, FETCH_TIMEOUT or FETCH_TOO_LARGE, and with an AbortError when stopped. */
export type SafeFetch = (url: string | URL, request?: SafeRequest) => Promise<SafeResponse>;

const DEFAULTS = { maxBytes: 5 * 1024 * 1024, maxRedirects: 3, timeoutMs: 30_000, idleMs: 15_000 };
/** What only we decide. */
export const OURS = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "expect",
  "upgrade",
  "te",
];

interface Journey {
  readonly request: SafeRequest;
  readonly resolve: ResolveHost;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly patience: Patience;
}

export function createSafeFetch(parts: SafeFetchParts): SafeFetch {
  return async (url, request = {}) => {
    using patience = startPatience(parts.clock, {
      totalMs: request.timeoutMs ?? DEFAULTS.timeoutMs,
      idleMs: request.idleMs ?? DEFAULTS.idleMs,
      signal: request.signal,
    });
    const { clock, resolve = resolveBySystem, dial = dialDirectly } = parts;
    return await travel(url, { request, resolve, dial, clock, patience });
  };
}

async function travel(start: string | URL, journey: Journey): Promise<SafeResponse> {
  const { request, patience } = journey;
  const maxRedirects = request.maxRedirects ?? DEFAULTS.maxRedirects;
  let target = await lookUp(start, journey);
  let wire = firstRequest(request);
  for (let redirects = 0; ; redirects++) {
    const incoming = await sendTo(target, wire, journey);
    const status = incoming.statusCode ?? 0;
    const onwards = redirectOf(incoming, target);
    if (!onwards) {
      const limits = { maxBytes: request.maxBytes ?? DEFAULTS.maxBytes, whenTooLong: request.whenTooLong ?? "fail" };
      const body: Body = await readBody(incoming, limits, patience);
      return { url: target.url.href, status, headers: new HttpHeaders(incoming.headers), ...body };
    }
    incoming.destroy();
    if (redirects >= maxRedirects) throw tooManyRedirects(target, maxRedirects);
    const next = await lookUp(onwards(), journey);
    wire = requestAfter(status, wire, next.url.origin === target.url.origin);
    target = next;
  }
}

/** The only look-up of a hop: what was checked here is what is connected to. */
function lookUp(url: string | URL, { request, resolve, patience }: Journey): Promise<Target> {
  return patience.race(findTarget(url, resolve, request.allowPrivate ?? []));
}

function firstRequest({ method, headers, body }: SafeRequest): WireRequest {
  const given = new HttpHeaders(headers);
  for (const name of OURS) given.delete(name);
  const own = { "accept-encoding": ENCODINGS, ...lengthOf(body) };
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...Object.fromEntries(given), ...own },
    body,
  };
}

function lengthOf(body: SafeRequest["body"]): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}
