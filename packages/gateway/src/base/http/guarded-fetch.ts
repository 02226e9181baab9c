// A fetch for channels: like the platform's own, but it reaches public addresses only, and those the operator configured.
import type { IncomingMessage } from "node:http";
import { GatewayError } from "@chela/sdk";
import type { HeaderInput } from "@chela/sdk/http";
import type { CheckedRequest } from "./carry-over.ts";
import { checkedHeaders, travel, type Arrived, type CheckedParts } from "./checked-journey.ts";
import { readGivenBody } from "./guarded-fetch-body.ts";
import { unpack } from "./safe-fetch-body.ts";
import { startPatience, type Patience } from "./safe-fetch-patience.ts";

export interface GuardedFetchParts extends CheckedParts {
  /** Origins that may lie in a private network, because the operator wrote them down. */
  trusted(): readonly string[];
}

/**
 * Takes what the platform's fetch takes. Rejects with FETCH_REFUSED, FETCH_FAILED or FETCH_TIMEOUT, and with an
 * AbortError when stopped. The body comes as it arrives; how much of it is too much is for the reader to say.
 */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const REDIRECTS = { follow: 5, error: 0, manual: "none" } as const;
const TOTAL_MS = 30 * 60_000;
/** Also how long the head of an answer may keep us waiting. */
const IDLE_MS = 90_000;
const NO_BODY = [204, 205, 304];

export function createGuardedFetch(parts: GuardedFetchParts): GuardedFetch {
  return async (url, init = {}) => {
    const limits = { totalMs: TOTAL_MS, idleMs: IDLE_MS, signal: init.signal ?? undefined };
    const patience = startPatience(parts.clock, limits);
    try {
      const arrived = await travel(url, firstRequest(init), parts, {
        allowPrivate: (hop) => trustedHost(hop, parts.trusted()),
        maxRedirects: REDIRECTS[init.redirect ?? "follow"],
        patience,
      });
      return toResponse(arrived, patience);
    } catch (error) {
      patience[Symbol.dispose]();
      throw error;
    }
  };
}

/** The host of an address, when the operator wrote down its origin. */
function trustedHost(url: string | URL, trusted: readonly string[]): string[] {
  const { origin, hostname } = URL.parse(String(url)) ?? {};
  return origin !== undefined && hostname !== undefined && trusted.includes(origin) ? [hostname] : [];
}

function firstRequest(init: RequestInit): CheckedRequest {
  const { body, length, type } = readGivenBody(init.body);
  const headers = checkedHeaders(headersOf(init.headers));
  if (type && !headers.has("content-type")) headers.set("content-type", type);
  if (length !== undefined) headers.set("content-length", String(length));
  return { method: (init.method ?? "GET").toUpperCase(), headers: Object.fromEntries(headers), body };
}

function headersOf(given: RequestInit["headers"]): HeaderInput {
  return (given ?? {}) as HeaderInput;
}

function toResponse({ incoming, target, method, wasRedirected }: Arrived, patience: Patience): Response {
  const status = incoming.statusCode ?? 0;
  const hasBody = method !== "HEAD" && !NO_BODY.includes(status);
  if (!hasBody) {
    incoming.destroy();
    patience[Symbol.dispose]();
  }
  const body = hasBody ? streamOf(incoming, patience) : null;
  const response = new Response(body, {
    status,
    statusText: incoming.statusMessage ?? "",
    headers: headerPairs(incoming),
  });
  // What the platform's own fetch sets where nobody else can.
  Object.defineProperties(response, { url: { value: target.url.href }, redirected: { value: wasRedirected } });
  return response;
}

/** Patience ends with the body, however that ends; somebody who never reads it loses it when patience does. */
function streamOf(incoming: IncomingMessage, patience: Patience): ReadableStream<Uint8Array> {
  const pieces = unpack(incoming);
  const stop = (): void => {
    patience[Symbol.dispose]();
    incoming.destroy(patience.signal.aborted ? (patience.signal.reason as Error) : undefined);
  };
  patience.signal.addEventListener("abort", stop, { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (!done) return (patience.touch(), controller.enqueue(value));
        controller.close();
      } catch (error) {
        controller.error(patience.signal.aborted ? patience.signal.reason : whyBroken(error));
      }
      stop();
    },
    cancel: stop,
  });
}

function whyBroken(error: unknown): GatewayError {
  if (GatewayError.is(error)) return error;
  return new GatewayError("FETCH_FAILED", "the answer broke off or cannot be unpacked", { cause: error });
}

function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  return pairs;
}

/** Origins of all web addresses in an account's settings: whoever wrote them there trusts them. */
export function originsIn(settings: unknown): string[] {
  if (typeof settings === "string") {
    const url = /^https?:\/\//i.test(settings) ? URL.parse(settings) : null;
    return url ? [url.origin] : [];
  }
  if (typeof settings !== "object" || settings === null) return [];
  return [...new Set(Object.values(settings).flatMap(originsIn))];
}
