// HTTP calls without the platform's own fetch, which would cost 40 ms and 15 MB at its first use.
import type { Clock } from "../time.ts";
import { HttpHeaders, type HeaderInput } from "./http-headers.ts";
import { HttpResponse } from "./http-response.ts";
import { openPool } from "./transport.ts";

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: HeaderInput;
  readonly body?: string | Uint8Array | null;
  readonly signal?: AbortSignal | null;
}

export interface HttpFetchOptions {
  /** A response longer than this fails while it is read. Default 64 MiB. */
  readonly maxResponseBytes?: number;
  /** So does one with a line longer than this, for streams that are made of lines. Default: as long as the response. */
  readonly maxLineBytes?: number;
  /** Connections to one host at a time. Default 256: model calls are long, and must not wait for each other. */
  readonly maxSockets?: number;
  /**
   * A request that changes something is not sent again by itself when a connection breaks: whoever asked decides.
   * Absent: every request is, since nearly always the server has not seen it.
   */
  readonly onlyRepeatsReads?: boolean;
  /** An environment that may name proxies: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. Absent: nobody is in between. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
}

/** Enough of a `fetch` for the libraries that take one. Redirects are never followed: they come back as they are. */
export interface HttpFetch {
  (url: string | URL, request?: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections; calls that are under way end by themselves. */
  close(): void;
}

export function createHttpFetch(options: HttpFetchOptions = {}): HttpFetch {
  const { maxSockets, proxyEnv, onlyRepeatsReads } = options;
  const pool = openPool({ maxSockets, proxyEnv });
  const limits = { bytes: options.maxResponseBytes ?? 64 * 1024 * 1024, line: options.maxLineBytes ?? Infinity };
  const fetch = async (input: string | URL, request: HttpRequest = {}): Promise<HttpResponse> => {
    request.signal?.throwIfAborted();
    const url = typeof input === "string" ? new URL(input) : input;
    const method = request.method ?? "GET";
    const carried = await pool.carry(url, {
      method,
      headers: headersOf(request),
      body: request.body ?? undefined,
      signal: request.signal ?? undefined,
      mayRepeat: !onlyRepeatsReads || ["GET", "HEAD"].includes(method),
    });
    if (carried.kind === "failed") throw carried.error;
    return new HttpResponse(url.href, carried.incoming, limits);
  };
  return Object.assign(fetch, { close: () => pool.close() });
}

function headersOf({ headers }: HttpRequest): Record<string, string> {
  const wire: Record<string, string> = {};
  for (const [name, value] of new HttpHeaders(headers)) wire[name] = value;
  // Token streams are small and must not be held back by a compressor.
  wire["accept-encoding"] = "identity";
  return wire;
}

/** Reads a small JSON answer, or undefined when there is none in time: for asking whether a server is there at all. */
export async function tryGetJson(
  fetch: HttpFetch,
  url: string,
  limits: { clock: Clock; timeoutMs: number; headers?: HeaderInput },
): Promise<unknown> {
  const abort = new AbortController();
  const cancel = limits.clock.after(limits.timeoutMs, () => abort.abort());
  try {
    const response = await fetch(url, {
      signal: abort.signal,
      ...(limits.headers ? { headers: limits.headers } : {}),
    });
    if (response.ok) return await response.json();
    response.discard();
    return undefined;
  } catch {
    // Refused, too slow, or not JSON: all of them mean "no such server here".
    return undefined;
  } finally {
    cancel();
  }
}
