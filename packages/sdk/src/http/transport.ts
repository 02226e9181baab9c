// The transport below all our HTTP clients: one request and its answer, over a kept connection of a pool or over one that the caller checked.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";

/** Writes a body that comes in pieces, which can be sent once only. Whatever breaks destroys the request. */
export type WriteBody = (outgoing: ClientRequest) => void;

export interface WireRequest {
  readonly method: string;
  /** The length of a body that is whole is added here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | WriteBody | undefined;
  /** Also stops the body of an answer that has begun. */
  readonly signal?: AbortSignal | undefined;
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

interface PooledRequest extends WireRequest {
  /** A server may close an idle connection just when it is used again: it has not seen the request then, and gets it once more. */
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
  if (!/^https?:$/.test(protocol))
    throw new TypeError(`Only http: and https: addresses can be called, not ${protocol}`);
  const { request, Agent } = process.getBuiltinModule(protocol === "http:" ? "node:http" : "node:https");
  return { request, agent: new Agent(agentOptions) };
}

async function carryPooled(connections: Connections, url: URL, request: PooledRequest): Promise<Carried> {
  const body = toWireBody(request.body);
  const wire = { ...request, body };
  const send = (agent: Agent | false): Promise<Attempt> =>
    carry(connections.request(url, { method: wire.method, headers: withLength(wire), agent }), wire);
  // An upload cannot be repeated, and has a connection of its own from the start.
  const first = await send(typeof body !== "function" && connections.agent);
  if (first.kind === "answered" || !first.wasStale || !request.mayRepeat || request.signal?.aborted) return first;
  const second = await send(false);
  if (second.kind === "answered" || request.signal?.aborted) return second;
  // The first one may have arrived after all, so what became of it is what counts.
  return { ...second, error: first.error };
}

/** What became of one try. */
type Attempt = Carried & { readonly wasStale?: boolean };

/** Sends a request that was opened, and waits for the head of its answer. */
export function carry(outgoing: ClientRequest, { body, signal }: WireRequest): Promise<Attempt> {
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
    if (typeof body === "function") body(outgoing);
    else outgoing.end(body);
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

/** The headers of a request, with the length of a body that is whole. */
export function withLength({ headers, body }: Pick<WireRequest, "headers"> & { body?: unknown }) {
  const isWhole = typeof body === "string" || body instanceof Uint8Array;
  return isWhole ? { ...headers, "content-length": String(Buffer.byteLength(body)) } : headers;
}
