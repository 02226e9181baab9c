// The door: one port for HTTP and WebSocket. Strangers get little room, little time and few bytes.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import { MAX_PAYLOAD_BYTES } from "@chela/sdk/protocol";
import { errnoOf } from "../base/files.ts";
import { createWaitingRoom, decideUpgrade, readPreauthLimits, resolveClient, type Visitor } from "./auth/index.ts";
import { serveConnection, type ConnectionParts } from "./connection.ts";
import type { DoorRules } from "./door-rules.ts";
import { createRouter, type Route } from "./http/router.ts";

export interface DoorParts {
  readonly hosts: readonly string[];
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly routes: readonly Route[];
  readonly connection: ConnectionParts;
  /** Certificate and key in PEM; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  rules(): DoorRules;
}

export interface Door {
  readonly port: number;
  /** Takes no more connections. Those that are open go on until their owner closes them. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 5_000;

export async function openDoor(parts: DoorParts): Promise<Door> {
  const waiting = createWaitingRoom(parts.clock, readPreauthLimits(parts.env));
  const visitors = new WeakMap<Socket, Visitor>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD_BYTES, perMessageDeflate: false });
  const route = createRouter(parts.routes, () => parts.rules(), parts.log);

  const welcome = (socket: Socket): void => {
    const client = resolveClient({
      peerAddress: socket.remoteAddress,
      headers: {},
      trustedProxies: parts.rules().proxies,
    });
    const visitor = waiting.enter(client, () => socket.destroy());
    visitors.set(socket, visitor);
    socket.once("close", () => visitor.leave());
  };

  const answer = (request: IncomingMessage, response: Parameters<typeof route>[1]): void => {
    visitors.get(request.socket)?.leave();
    route(request, response);
  };

  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    const rules = parts.rules();
    const { headers } = request;
    const client = resolveClient({
      peerAddress: socket.remoteAddress,
      headers,
      trustedProxies: rules.proxies,
      isTailscaleOn: rules.isTailscaleOn,
    });
    const decision = decideUpgrade({ headers, client }, rules.origins);
    if (decision.kind === "refused") return refuseUpgrade(socket, decision.message);
    const visitor = visitors.get(socket);
    if (!visitor) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const isEncrypted = "encrypted" in socket;
      countBytes(socket, visitor, () => webSocket.close(1009, "preauth payload too large"));
      serveConnection(
        webSocket,
        { headers, client, isEncrypted, localAddress: socket.localAddress },
        visitor,
        parts.connection,
      );
    });
  };

  const servers: Server[] = [];
  let { port } = parts;
  for (const host of parts.hosts) {
    const server = await createListener(parts.tls);
    server.on("connection", welcome).on("request", answer).on("upgrade", upgrade);
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    const opened = await listen(server, host, port);
    // Without IPv6 the second loopback address is simply not there.
    if (opened.kind === "unavailable" && servers.length > 0) continue;
    if (opened.kind !== "listening") throw portError(host, port, opened.code);
    port = opened.port;
    servers.push(server);
  }

  return {
    port,
    async close() {
      sockets.close();
      await Promise.all(servers.map((server) => closeServer(server)));
    },
  };
}

async function createListener(tls: DoorParts["tls"]): Promise<Server> {
  if (!tls) return createServer();
  const https = await import("node:https");
  return https.createServer({ cert: tls.cert, key: tls.key });
}

/** Bytes count from the raw socket, so that a huge first frame is noticed while it arrives. */
function countBytes(socket: Socket, visitor: Visitor, tooMuch: () => void): void {
  const count = (bytes: Buffer): void => {
    if (visitor.receive(bytes.length) === "ok") return;
    socket.off("data", count);
    tooMuch();
  };
  socket.on("data", count);
  visitor.onLeave(() => socket.off("data", count));
}

function refuseUpgrade(socket: Socket, message: string): void {
  socket.end(
    `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}

type Listening = { kind: "listening"; port: number } | { kind: "unavailable" | "failed"; code: string | undefined };

function listen(server: Server, host: string, port: number): Promise<Listening> {
  return new Promise((resolve) => {
    server.once("error", (error) => {
      const code = errnoOf(error);
      resolve({ kind: code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT" ? "unavailable" : "failed", code });
    });
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve({ kind: "listening", port: typeof address === "object" && address ? address.port : port });
    });
  });
}

function portError(host: string, port: number, code: string | undefined): GatewayError {
  const why: Record<string, string> = {
    EADDRINUSE: "it is already in use",
    EACCES: "this user may not open it",
    EADDRNOTAVAIL: "this machine does not have that address",
  };
  return new GatewayError("START_PORT", `${host}:${port}: ${why[code ?? ""] ?? code ?? "unknown reason"}`);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
