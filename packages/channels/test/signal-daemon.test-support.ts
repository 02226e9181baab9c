// A fixture, not a peer: answers calls as a test says and hands out frames, for what the peer does not have.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const GETS_CUT = "the connection is cut";

export interface RpcCall {
  readonly method: string;
  readonly params: Record<string, unknown>;
}
type Answer = { readonly result: unknown } | { readonly error: object } | typeof GETS_CUT;
type Answerer = (call: RpcCall) => Answer | Promise<Answer>;

export interface SignalDaemon extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly RpcCall[];
  on(method: string, answer: Answerer): void;
  /** Hands a frame to whoever listens. */
  emit(frame: unknown): void;
  /** Writes to whoever listens, as it is. */
  write(bytes: string): void;
  /** Ends the streams. */
  cut(): void;
}

export async function startSignalDaemon(): Promise<SignalDaemon> {
  const calls: RpcCall[] = [];
  const listeners = new Set<ServerResponse>();
  const answers = new Map<string, Answerer>([
    ["send", () => ({ result: { timestamp: 1745372400000 + calls.length } })],
  ]);
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/api/v1/check") return void response.end();
    if (pathname === "/api/v1/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      listeners.add(response);
      return;
    }
    const parts: Uint8Array[] = [];
    for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
    const call = JSON.parse(Buffer.concat(parts).toString("utf8")) as RpcCall & { id: string };
    calls.push({ method: call.method, params: call.params });
    const missing = { error: { code: -32601, message: "Method not implemented" } };
    const answer = (await answers.get(call.method)?.(call)) ?? missing;
    if (answer === GETS_CUT) return void response.destroy();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...answer }));
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const write = (bytes: string): void => {
    for (const listener of listeners) listener.write(bytes);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    on: (method, answer) => void answers.set(method, answer),
    write,
    emit: (frame) => write(`event:receive\ndata:${JSON.stringify(frame)}\n\n`),
    cut() {
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}
