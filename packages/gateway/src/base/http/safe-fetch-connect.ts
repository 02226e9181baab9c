// Connects to one of the checked addresses of a target and sends one request over that connection; no name is looked up here.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { GatewayError, type Clock } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { carryOver, type CheckedRequest } from "./carry-over.ts";
import type { Patience } from "./safe-fetch-patience.ts";
import type { Target } from "./safe-fetch-target.ts";

/** Opens a connection to a literal address. */
export type Dial = (address: string, port: number) => Socket;

/** How long one of several addresses may keep us waiting before the next is tried. */
const TRY_NEXT_MS = 5_000;

export const dialDirectly: Dial = (address, port) =>
  process.getBuiltinModule("node:net").connect({ host: address, port, autoSelectFamily: false, noDelay: true });

/** The answer's head; its body is still to be read, and destroying it closes the connection. */
export async function sendTo(
  target: Target,
  request: CheckedRequest,
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

async function exchange(
  socket: Socket,
  { url, host }: Target,
  request: CheckedRequest,
  { signal, touch }: Patience,
): Promise<IncomingMessage> {
  const carried = await carryOver(socket, url, { ...request, signal }, touch);
  if (carried.kind === "failed") throw failed(`${host} did not answer the request properly`, carried.error);
  touch();
  return carried.incoming;
}

function failed(what: string, cause: unknown): GatewayError {
  const code = errnoOf(cause);
  return new GatewayError("FETCH_FAILED", code ? `${what} (${code})` : what, { cause });
}
