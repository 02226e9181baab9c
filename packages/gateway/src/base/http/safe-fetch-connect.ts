// Connects to one of the checked addresses of a target and sends one request over that connection; no name is looked up here.
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { GatewayError, type Clock } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import type { Patience } from "./safe-fetch-patience.ts";
import type { Target } from "./safe-fetch-target.ts";

/** Opens a connection to a literal address. */
export type Dial = (address: string, port: number) => Socket;

export interface WireRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whatever comes in pieces can be sent once only. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** How long one of several addresses may keep us waiting before the next is tried. */
const TRY_NEXT_MS = 5_000;
const PIECE_BYTES = 64 * 1024;

export const dialDirectly: Dial = (address, port) =>
  process.getBuiltinModule("node:net").connect({ host: address, port, autoSelectFamily: false, noDelay: true });

/** The answer's head; its body is still to be read, and destroying it closes the connection. */
export async function sendTo(
  target: Target,
  request: WireRequest,
  ways: { readonly dial: Dial; readonly clock: Clock; readonly patience: Patience },
): Promise<IncomingMessage> {
  const plain = await connectToAny(target, ways);
  let socket = plain;
  try {
    if (target.url.protocol === "https:") socket = await secure(plain, target, ways.patience);
    return await exchange(socket, target, request, ways.patience);
  } catch (error) {
    socket.destroy();
    plain.destroy();
    if (ways.patience.signal.aborted) throw ways.patience.signal.reason;
    throw error;
  }
}

async function connectToAny(
  { addresses, port, host }: Target,
  { dial, clock, patience }: { readonly dial: Dial; readonly clock: Clock; readonly patience: Patience },
): Promise<Socket> {
  let last: unknown;
  for (const [index, address] of addresses.entries()) {
    patience.signal.throwIfAborted();
    const socket = dial(address, port);
    const isLast = index === addresses.length - 1;
    const cancel = isLast ? () => {} : clock.after(TRY_NEXT_MS, () => socket.destroy(new Error("too slow")));
    try {
      await opened(socket, "connect", patience);
      return socket;
    } catch (error) {
      socket.destroy();
      if (patience.signal.aborted) throw patience.signal.reason;
      last = error;
    } finally {
      cancel();
    }
  }
  throw failed(`${host} cannot be reached on port ${port}`, last);
}

/** The certificate must be the name's, whatever the environment says about checking certificates. */
async function secure(socket: Socket, { host }: Target, patience: Patience): Promise<Socket> {
  const { connect } = process.getBuiltinModule("node:tls");
  const name = isIP(host) ? {} : { servername: host };
  const secured = connect({ socket, host, ...name, ALPNProtocols: ["http/1.1"], rejectUnauthorized: true });
  try {
    await opened(secured, "secureConnect", patience);
  } catch (error) {
    throw failed(`a secure connection to ${host} is not possible; its certificate may be wrong`, error);
  }
  return secured;
}

function opened(socket: Socket, event: "connect" | "secureConnect", patience: Patience): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = (): void => void socket.destroy(new Error("stopped"));
  patience.signal.addEventListener("abort", stop, { once: true });
  socket.once(event, resolve);
  // Stays for good: a connection may break when nobody waits for it.
  socket.on("error", reject);
  socket.once("close", () => reject(new Error("closed")));
  return promise.finally(() => patience.signal.removeEventListener("abort", stop));
}

/** No agent is involved, so neither kept connections nor the proxies of the environment are. */
function exchange(socket: Socket, target: Target, request: WireRequest, patience: Patience): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = process.getBuiltinModule("node:http").request({
    createConnection: () => socket,
    setHost: false,
    method: request.method,
    path: `${target.url.pathname}${target.url.search}`,
    headers: { ...request.headers, host: target.url.host, connection: "close" },
  });
  const stop = (): void => void outgoing.destroy(new Error("stopped"));
  patience.signal.addEventListener("abort", stop, { once: true });
  outgoing.once("close", () => {
    patience.signal.removeEventListener("abort", stop);
    // A server that changes to another protocol gives neither an answer nor an error.
    reject(failed(`${target.host} did not answer the request properly`, undefined));
  });
  outgoing.once("response", (incoming) => {
    // A body may break before anybody reads it; whoever reads then is told.
    incoming.on("error", () => undefined);
    patience.touch();
    resolve(incoming);
  });
  outgoing.on("error", (error) => reject(failed(`${target.host} did not answer the request properly`, error)));
  send(request.body, outgoing, patience);
  return promise;
}

function send(body: WireRequest["body"], outgoing: ClientRequest, patience: Patience): void {
  const isLong = body instanceof Uint8Array && body.length > PIECE_BYTES;
  const isWhole = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  if (isWhole && !isLong) return void outgoing.end(body);
  const { pipeline, Readable } = process.getBuiltinModule("node:stream");
  const pieces = Readable.from(isWhole ? piecesOf(body as Uint8Array) : body);
  pieces.on("data", () => patience.touch());
  // Whatever breaks destroys the request, which tells whoever waits for the answer.
  pipeline(pieces, outgoing, () => undefined);
}

/** So that a long upload over a slow line is seen to move. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function failed(what: string, cause: unknown): GatewayError {
  const code = errnoOf(cause);
  return new GatewayError("FETCH_FAILED", code ? `${what} (${code})` : what, { cause });
}
