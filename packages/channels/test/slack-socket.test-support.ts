// A fixture, not a peer: it speaks Socket Mode as Slack documents it, and hands all other calls on to a real peer's Web API.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

export interface SocketFixture extends AsyncDisposable {
  readonly apiRoot: string;
  readonly appToken: string;
  /** Hands an envelope over, and again at each new connection until it is acknowledged. Resolves when it is. */
  hand(type: "events_api" | "slash_commands" | "interactive", payload: unknown): Promise<Acknowledgement>;
  /** Says that the connection will be closed, as Slack does every few hours. */
  disconnect(reason: string): void;
  /** Breaks all connections without a word. */
  cut(): void;
  /** Refuses new connections from now on with Slack's word for it. */
  refuse(error: string): void;
  readonly connections: { readonly count: number };
  /** Resolves when this many connections have been greeted. */
  greeted(count: number): Promise<void>;
  readonly pending: { readonly size: number };
}

interface Acknowledgement {
  readonly envelope_id: string;
  readonly payload?: Record<string, unknown>;
}

interface Pending {
  readonly envelope: Record<string, unknown>;
  readonly resolve: (acknowledgement: Acknowledgement) => void;
  attempts: number;
}

export async function openSocketFixture(webApiRoot: string): Promise<SocketFixture> {
  const appToken = "xapp-1-fixture";
  const pending = new Map<string, Pending>();
  const waiting: Array<{ count: number; resolve: () => void }> = [];
  const connections = { count: 0 };
  let refusal: string | undefined;
  let envelopes = 0;

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const method = (request.url ?? "").replace(/^\/api\//, "");
    if (method !== "apps.connections.open") {
      const { authorization = "" } = request.headers;
      const headers = { authorization, "content-type": request.headers["content-type"] ?? "" };
      const answer = await fetch(webApiRoot + method, { method: "POST", headers, body });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
      return;
    }
    const error = request.headers.authorization === `Bearer ${appToken}` ? refusal : "invalid_auth";
    const { port } = server.address() as AddressInfo;
    const answer = error
      ? { ok: false, error }
      : { ok: true, url: `ws://127.0.0.1:${port}/link/?ticket=${connections.count}` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const sockets = new WebSocketServer({ server });

  const sendAgain = (socket: WebSocket, one: Pending): void => {
    const retry = one.attempts > 0 ? { retry_attempt: one.attempts, retry_reason: "timeout" } : {};
    one.attempts += 1;
    socket.send(JSON.stringify({ ...one.envelope, ...retry }));
  };
  sockets.on("connection", (socket) => {
    connections.count += 1;
    socket.on("message", (data) => {
      const acknowledgement = JSON.parse(String(data)) as Acknowledgement;
      pending.get(acknowledgement.envelope_id)?.resolve(acknowledgement);
      pending.delete(acknowledgement.envelope_id);
    });
    socket.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A0CHELA01" } }));
    for (const one of pending.values()) sendAgain(socket, one);
    for (const one of waiting.filter(({ count }) => count <= connections.count)) one.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    appToken,
    pending,
    connections,
    hand(type, payload) {
      envelopes += 1;
      const envelope = {
        envelope_id: `envelope-${envelopes}`,
        type,
        payload,
        accepts_response_payload: type !== "events_api",
      };
      return new Promise((resolve) => {
        const one = { envelope, resolve, attempts: 0 };
        pending.set(envelope.envelope_id, one);
        for (const socket of sockets.clients) sendAgain(socket, one);
      });
    },
    disconnect(reason) {
      for (const socket of sockets.clients) socket.send(JSON.stringify({ type: "disconnect", reason, debug_info: {} }));
    },
    cut() {
      for (const socket of sockets.clients) socket.terminate();
    },
    refuse: (error) => void (refusal = error),
    greeted(count) {
      if (connections.count >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ count, resolve }));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
