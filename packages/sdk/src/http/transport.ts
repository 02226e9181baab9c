// The transport below all our HTTP clients: one request and its answer, over a kept connection of a pool or over one that the caller checked.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";

export interface WireRequest {
  readonly method: string;
  /** The length of a body that is whole is added here. */
  readonly headers: Readonly<Record<string, string>>;
  /** What comes in pieces can be sent once only. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** Who waits for the answer. */
export interface Waiting {
  /** Also stops the body of an answer that has begun. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the body went out: a long upload over a slow line is seen to move. */
  readonly moved?: (() => void) | undefined;
}

export type Carried =
  | { readonly kind: "answered"; readonly incoming: IncomingMessage }
  | {
      readonly kind: "failed";
      /** Named AbortError when the call was stopped. */
      readonly error: Error;
      /** The server may have seen the request. */
      readonly hadLeft: boolean;
    };

export interface PooledRequest extends WireRequest, Waiting {
  /** A server may close an idle connection just when it is used again; has not seen the request then, and gets it once more. */
  readonly mayRepeat: boolean;
}

export interface PoolOptions {
  /** Connections to one host at a time. Default 256: model calls are long, and must not wait for each other. */
  readonly maxSockets?: number | undefined;
  /** An environment that may name proxies: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. Absent: nobody is in between. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Pool {
  /** Throws a TypeError for addresses that are not http: or https:. */
  carry(url: URL, request: PooledRequest): Promise<Carried>;
  /** Closes idle connections; calls that are under way end by themselves. */
  close(): void;
}

/** Connections to servers at addresses the operator chose, kept for the next call. */
export function openPool({ maxSockets = 256, proxyEnv }: PoolOptions = {}): Pool {
  const agentOptions = { keepAlive: true, maxSockets, noDelay: true, ...(proxyEnv ? { proxyEnv } : {}) };
  const agents = new Map<string, Connections>();
  const connectionsFor = (protocol: string): Connections => {
    const known = agents.get(protocol) ?? openConnections(protocol, agentOptions);
    agents.set(protocol, known);
    return known;
  };
  return {
    carry: (url, request) => carryPooled(connectionsFor(url.protocol), url, request),
    close() {
      for (const { agent } of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

interface Connections {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/** `import "node:http"` would touch every export and so load the platform's fetch; asking for the module does not. */
function openConnections(protocol: string, agentOptions: object): Connections {
  if (protocol === "http:") {
    const { request, Agent } = process.getBuiltinModule("node:http");
    return { request, agent: new Agent(agentOptions) };
  }
  if (protocol === "https:") {
    const { request, Agent } = process.getBuiltinModule("node:https");
    return { request, agent: new Agent(agentOptions) };
  }
  throw new TypeError(`Only http: and https: addresses can be called, not ${protocol}`);
}

async function carryPooled({ request: open, agent }: Connections, url: URL, request: PooledRequest): Promise<Carried> {
  const body = toWireBody(request.body);
  const { method } = request;
  const headers = withLength(request, body);
  const send = (over: Agent | false): Promise<Attempt> =>
    carry(open(url, { method, headers, agent: over }), body, request);
  const isWhole = body === undefined || isBytes(body);
  // An upload cannot be repeated, and has a connection of its own from the start.
  const first = await send(isWhole ? agent : false);
  if (first.kind === "answered" || !first.wasStale || !request.mayRepeat || request.signal?.aborted) return first;
  const second = await send(false);
  if (second.kind === "answered" || request.signal?.aborted) return second;
  return { ...second, error: first.error };
}

/** What became of one try. */
type Attempt = Carried & { readonly wasStale?: boolean };

export function carry(
  outgoing: ClientRequest,
  body: WireRequest["body"],
  { signal, moved }: Waiting,
): Promise<Attempt> {
  return new Promise((resolve) => {
    let hadLeft = false;
    const abort = (): void => void outgoing.destroy(abortReason(signal));
    const fail = (error: Error, wasStale: boolean): void => {
      signal?.removeEventListener("abort", abort);
      resolve({ kind: "failed", error, hadLeft, wasStale });
    };
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.once("socket", (socket) => whenOpen(socket, () => (hadLeft = true)));
    outgoing.once("response", (incoming) => {
      signal?.removeEventListener("abort", abort);
      // An answer may break before anybody reads it; whoever reads then is told, and until then it is no crash.
      incoming.on("error", () => undefined);
      if (signal) abortWith(incoming, signal);
      resolve({ kind: "answered", incoming });
    });
    // Stays for good: an error after the answer began is reported by the answer itself.
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const wasStale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      fail(signal?.aborted ? abortReason(signal) : error, wasStale);
    });
    // A server that changes to another protocol gives neither an answer nor an error.
    outgoing.once("close", () => fail(cutOff(), false));
    writeBody(outgoing, body, moved);
  });
}

/** From then on bytes of the request may go out. */
function whenOpen(socket: Socket, tell: () => void): void {
  if (!socket.connecting) return tell();
  socket.once("encrypted" in socket ? "secureConnect" : "connect", tell);
}

function abortWith(incoming: IncomingMessage, signal: AbortSignal): void {
  const abort = (): void => void incoming.destroy(abortReason(signal));
  signal.addEventListener("abort", abort, { once: true });
  incoming.once("close", () => signal.removeEventListener("abort", abort));
}

/** Always an Error named AbortError, because that name is what libraries look for. */
export function abortReason(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  return Object.assign(new Error("The call was aborted", { cause: reason }), { name: "AbortError" });
}

export function cutOff(): Error {
  return Object.assign(new Error("The connection was closed before the answer was complete"), { code: "ECONNRESET" });
}

/** Shorter ones go into one piece with their headers. */
const LONG_BODY = 4096;

/** A long text is encoded here, at once; the socket would count its bytes first and then need room for three times as many. */
function toWireBody(body: WireRequest["body"]): WireRequest["body"] {
  return typeof body === "string" && body.length > LONG_BODY ? Buffer.from(body) : body;
}

function isBytes(body: NonNullable<WireRequest["body"]>): body is string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array;
}

export function withLength({ headers }: WireRequest, body: WireRequest["body"]): Record<string, string> {
  const length = body !== undefined && isBytes(body) ? { "content-length": String(Buffer.byteLength(body)) } : {};
  return { ...headers, ...length };
}

function writeBody(outgoing: ClientRequest, body: WireRequest["body"], moved: Waiting["moved"]): void {
  if (body === undefined || isBytes(body)) return void outgoing.end(body);
  const { pipeline, Readable } = process.getBuiltinModule("node:stream");
  const pieces = Readable.from(body);
  if (moved) pieces.on("data", moved);
  // Whatever breaks destroys the request, which tells whoever waits for the answer.
  pipeline(pieces, outgoing, () => undefined);
}
