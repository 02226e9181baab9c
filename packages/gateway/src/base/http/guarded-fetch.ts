// A fetch for channels: like the platform's own, but it reaches public addresses only, and those the operator configured.
import type { IncomingMessage } from "node:http";
import { GatewayError, type Clock } from "@chela/sdk";
import { readGivenBody, type GuardedBody } from "./guarded-fetch-body.ts";
import { HttpHeaders, type HeaderInput } from "@chela/sdk/http";
import { OURS } from "./safe-fetch.ts";
import { ENCODINGS, unpack } from "./safe-fetch-body.ts";
import { dialDirectly, sendTo, type Dial, type WireRequest } from "./safe-fetch-connect.ts";
import { startPatience, type Patience } from "./safe-fetch-patience.ts";
import { redirectOf, requestAfter, tooManyRedirects } from "./safe-fetch-redirect.ts";
import { findTarget, resolveBySystem, type ResolveHost, type Target } from "./safe-fetch-target.ts";

export interface GuardedFetchParts {
  readonly clock: Clock;
  /** Origins that may lie in a private network, because the operator wrote them down. */
  trusted(): readonly string[];
  /** The operating system's resolver unless given. */
  readonly resolve?: ResolveHost;
  /** For tests: leads a checked address to a server of theirs. */
  readonly dial?: Dial;
}

/**
 * Takes what the platform's fetch takes. Rejects with FETCH_REFUSED, FETCH_FAILED or FETCH_TIMEOUT, and with an
 * AbortError when stopped. The body comes as it arrives; how much of it is too much is for the reader to say.
 */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MAX_REDIRECTS = 5;
const TOTAL_MS = 30 * 60_000;
/** Also how long the head of an answer may keep us waiting. */
const IDLE_MS = 90_000;
const NO_BODY = [204, 205, 304];

interface Journey {
  readonly resolve: ResolveHost;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly patience: Patience;
  trusted(): readonly string[];
}

export function createGuardedFetch(parts: GuardedFetchParts): GuardedFetch {
  return async (url, init = {}) => {
    const { clock, trusted, resolve = resolveBySystem, dial = dialDirectly } = parts;
    const patience = startPatience(clock, { totalMs: TOTAL_MS, idleMs: IDLE_MS, signal: init.signal ?? undefined });
    try {
      return await travel(url, init, { clock, trusted, resolve, dial, patience });
    } catch (error) {
      patience[Symbol.dispose]();
      throw error;
    }
  };
}

async function travel(start: string | URL, init: RequestInit, journey: Journey): Promise<Response> {
  const given = readGivenBody(init.body);
  let target = await lookUp(start, journey);
  let wire = firstRequest(init, given);
  for (let redirects = 0; ; redirects++) {
    const incoming = await sendTo(target, wire, journey);
    const onwards = init.redirect === "manual" ? undefined : redirectOf(incoming, target);
    if (!onwards) return toResponse(incoming, target, wire.method, redirects > 0, journey.patience);
    incoming.destroy();
    if (init.redirect === "error") throw tooManyRedirects(target, 0);
    if (redirects >= MAX_REDIRECTS) throw tooManyRedirects(target, MAX_REDIRECTS);
    const next = await lookUp(onwards(), journey);
    wire = requestAfter(incoming.statusCode ?? 0, wire, next.url.origin === target.url.origin);
    if (wire.body !== undefined && !given.isRepeatable) throw cannotRepeat(target);
    target = next;
  }
}

/** The only look-up of a hop: what was checked here is what is connected to. */
function lookUp(url: string | URL, { resolve, patience, trusted }: Journey): Promise<Target> {
  const { origin, hostname } = URL.parse(String(url)) ?? {};
  const isTrusted = origin !== undefined && hostname !== undefined && trusted().includes(origin);
  return patience.race(findTarget(url, resolve, isTrusted ? [hostname] : []));
}

function firstRequest({ method, headers }: RequestInit, { body, length, type }: GuardedBody): WireRequest {
  const given = new HttpHeaders(headersOf(headers));
  for (const name of OURS) given.delete(name);
  if (type && !given.has("content-type")) given.set("content-type", type);
  const size = length === undefined ? {} : { "content-length": String(length) };
  return {
    method: (method ?? "GET").toUpperCase(),
    headers: { "accept-encoding": ENCODINGS, ...Object.fromEntries(given), ...size },
    body,
  };
}

function headersOf(given: RequestInit["headers"]): HeaderInput {
  return (given ?? {}) as HeaderInput;
}

function toResponse(
  incoming: IncomingMessage,
  { url }: Target,
  method: string,
  wasRedirected: boolean,
  patience: Patience,
): Response {
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
  Object.defineProperties(response, { url: { value: url.href }, redirected: { value: wasRedirected } });
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

function cannotRepeat({ host }: Target): GatewayError {
  return new GatewayError("FETCH_FAILED", `${host} asks to send it elsewhere, but it can be sent only once`);
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
