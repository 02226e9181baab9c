// The way of a request below both fetches that check: each hop is looked up once, and goes to an address that was checked then.
import type { IncomingMessage } from "node:http";
import { GatewayError, type Clock } from "@chela/sdk";
import { HttpHeaders, type HeaderInput } from "@chela/sdk/http";
import type { CheckedRequest } from "./carry-over.ts";
import { ENCODINGS } from "./safe-fetch-body.ts";
import { dialDirectly, sendTo, type Dial } from "./safe-fetch-connect.ts";
import type { Patience } from "./safe-fetch-patience.ts";
import { redirectOf, requestAfter, tooManyRedirects } from "./safe-fetch-redirect.ts";
import { findTarget, resolveBySystem, type ResolveHost, type Target } from "./safe-fetch-target.ts";

export interface CheckedParts {
  readonly clock: Clock;
  /** The operating system's resolver unless given. */
  readonly resolve?: ResolveHost;
  /** For tests: leads a checked address to a server of theirs. */
  readonly dial?: Dial;
}

export interface JourneyRules {
  /** Hosts, addresses and ranges that may be called though they are not public. */
  allowPrivate(url: string | URL): readonly string[];
  /** "none": an answer that points elsewhere is the answer. */
  readonly maxRedirects: number | "none";
  readonly patience: Patience;
}

export interface Arrived {
  readonly incoming: IncomingMessage;
  readonly target: Target;
  /** Of the last hop: a redirect may have changed it. */
  readonly method: string;
  readonly wasRedirected: boolean;
}

/** The head of the answer; destroying it closes the connection. */
export async function travel(
  start: string | URL,
  first: CheckedRequest,
  parts: CheckedParts,
  rules: JourneyRules,
): Promise<Arrived> {
  const { clock, resolve = resolveBySystem, dial = dialDirectly } = parts;
  const { maxRedirects, patience } = rules;
  const most = maxRedirects === "none" ? Infinity : maxRedirects;
  /** The only look-up of a hop: what was checked here is what is connected to. */
  const lookUp = (url: string | URL): Promise<Target> =>
    patience.race(findTarget(url, resolve, rules.allowPrivate(url)));
  let target = await lookUp(start);
  let wire = first;
  for (let redirects = 0; ; redirects++) {
    const incoming = await sendTo(target, wire, { clock, dial, patience });
    const onwards = maxRedirects === "none" ? undefined : redirectOf(incoming, target);
    if (!onwards) return { incoming, target, method: wire.method, wasRedirected: redirects > 0 };
    incoming.destroy();
    if (redirects >= most) throw tooManyRedirects(target, most);
    const next = await lookUp(onwards());
    wire = requestAfter(incoming.statusCode ?? 0, wire, next.url.origin === target.url.origin);
    if (!isRepeatable(wire.body)) throw cannotRepeat(target);
    target = next;
  }
}

/** What only we decide. */
const OURS = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "expect",
  "upgrade",
  "te",
];

/** What a caller wants to say, with what only we decide. */
export function checkedHeaders(given: HeaderInput | undefined): HttpHeaders {
  const headers = new HttpHeaders(given);
  for (const name of OURS) headers.delete(name);
  headers.set("accept-encoding", ENCODINGS);
  return headers;
}

/** What comes in pieces is gone when it was sent. */
function isRepeatable(body: CheckedRequest["body"]): boolean {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

function cannotRepeat({ host }: Target): GatewayError {
  return new GatewayError("FETCH_FAILED", `${host} asks to send it elsewhere, but it can be sent only once`);
}
