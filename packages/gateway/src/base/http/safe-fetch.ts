// The one way to fetch an address that somebody else chose: only public addresses, checked before each hop, with limits on everything.
import { HttpHeaders, type HeaderInput } from "@chela/sdk/http";
import type { CheckedRequest } from "./carry-over.ts";
import { checkedHeaders, travel, type CheckedParts } from "./checked-journey.ts";
import { readBody } from "./safe-fetch-body.ts";
import { startPatience } from "./safe-fetch-patience.ts";

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

export function createSafeFetch(parts: CheckedParts): SafeFetch {
  return async (url, request = {}) => {
    using patience = startPatience(parts.clock, {
      totalMs: request.timeoutMs ?? DEFAULTS.timeoutMs,
      idleMs: request.idleMs ?? DEFAULTS.idleMs,
      signal: request.signal,
    });
    const { incoming, target } = await travel(url, firstRequest(request), parts, {
      allowPrivate: () => request.allowPrivate ?? [],
      maxRedirects: request.maxRedirects ?? DEFAULTS.maxRedirects,
      patience,
    });
    const limits = { maxBytes: request.maxBytes ?? DEFAULTS.maxBytes, whenTooLong: request.whenTooLong ?? "fail" };
    const body = await readBody(incoming, limits, patience);
    return {
      url: target.url.href,
      status: incoming.statusCode ?? 0,
      headers: new HttpHeaders(incoming.headers),
      ...body,
    };
  };
}

function firstRequest({ method, headers, body }: SafeRequest): CheckedRequest {
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: Object.fromEntries(checkedHeaders(headers)),
    body,
  };
}
