// The door: one port for HTTP and WebSocket. Strangers get little room, little time and few bytes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { GatewayError, type Clock, type HttpRoute, type Logger } from "@chela/sdk";
import { MAX_PAYLOAD_BYTES } from "@chela/sdk/protocol";
import { refusedLoginEvent } from "../rooms/audit/room.ts";
import { errnoOf } from "@chela/sdk/files";
import {
  createWaitingRoom,
  decideUpgrade,
  readPreauthLimits,
  resolveClient,
  type PreauthEnd,
  type Visitor,
} from "./auth/index.ts";
import type { House } from "../house/house.ts";
import { serveConnection, type ConnectionParts } from "./connection.ts";
import type { DoorRules } from "./door-rules.ts";
import { watchMessageSize } from "./frame-limit.ts";
import { answerInTurn } from "./http/in-turn.ts";
import { whyAmbiguous } from "../base/http/request.ts";
import type { CallMethod } from "./http/method-route.ts";
import { createRouter } from "./http/router.ts";

export interface DoorParts {
  readonly hosts: readonly string[];
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  routes(): ReadonlyArray<HttpRoute<House>>;
  readonly callMethod: CallMethod;
  readonly connection: ConnectionParts;
  /** Certificate and key in PEM; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  rules(): DoorRules;
}

export interface Door {
  readonly port: number;
  /** Takes no more connections and sends strangers away. Resolves when those who were let in are gone, too. */
  close(): Promise<void>;
  /** Ends the HTTP requests that were let in with the gateway's secret. */
  endGranted(): void;
  /** Ends every connection that is still there, without a word. */
  drop(): void;
}

const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 5_000;
const FAREWELL_MS = 1_000;
/** For one connection; the next one is as good. */
const MAX_REQUESTS = 1_000;
/** Requests of strangers that are being answered: enough for pages and slow readers, not for everybody's forever. */
const GUESTS = { maxTotal: 1024, maxPerIp: 128, maxBytes: Infinity, timeoutMs: 120_000 };

export async function openDoor(parts: DoorParts): Promise<Door> {
  const waiting = createWaitingRoom(parts.clock, readPreauthLimits(parts.env));
  const guests = createWaitingRoom(parts.clock, GUESTS);
  /** By the far end of the socket: with TLS the socket that comes in and the one that speaks are two objects. */
  const visitors = new Map<string, Visitor>();
  const everySocket = new Set<Socket>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD_BYTES, perMessageDeflate: false });
  const router = createRouter({
    ...parts,
    house: parts.connection.gateway,
    rules: () => parts.rules(),
    turnedAway: (who) =>
      parts.connection.gateway.audit.refusedLogins.add(refusedLoginEvent({ surface: "http", ...who })),
  });

  const welcome = (socket: Socket): void => {
    const client = resolveClient({
      peerAddress: socket.remoteAddress,
      headers: {},
      trustedProxies: parts.rules().proxies,
    });
    const key = farEndOf(socket);
    const visitor = waiting.enter(client, () => socket.destroy());
    visitors.set(key, visitor);
    everySocket.add(socket);
    socket.once("close", () => {
      visitors.get(key)?.leave();
      visitors.delete(key);
      everySocket.delete(socket);
    });
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    visitors.get(farEndOf(request.socket))?.leave();
    const client = resolveClient({
      peerAddress: request.socket.remoteAddress,
      headers: request.headers,
      trustedProxies: parts.rules().proxies,
      allowRealIpFallback: parts.rules().allowRealIpFallback,
    });
    const guest = guests.enter(client, () => response.destroy());
    response.once("close", guest.leave);
    router.answer(request, response, guest.leave);
  };

  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    // Nobody else listens any more; without this, who hangs up at the wrong moment would end the process.
    socket.on("error", () => socket.destroy());
    const ambiguity = whyAmbiguous(request);
    if (ambiguity !== undefined) return refuseUpgrade(socket, ambiguity);
    const rules = parts.rules();
    const { headers } = request;
    const client = resolveClient({
      peerAddress: socket.remoteAddress,
      headers,
      trustedProxies: rules.proxies,
      allowRealIpFallback: rules.allowRealIpFallback,
      isTailscaleOn: rules.isTailscaleOn,
    });
    const decision = decideUpgrade({ headers, client }, rules.origins);
    if (decision.kind === "refused") return refuseUpgrade(socket, decision.message);
    const key = farEndOf(socket);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // A place of its own: the one of the socket may be gone since an earlier request on it.
      visitors.get(key)?.leave();
      const visitor = waiting.enter(client, (why) => sendAway(webSocket, why, parts.clock));
      visitors.set(key, visitor);
      const isEncrypted = "encrypted" in socket;
      // Nothing more is read: what is still under way would be kept until the other side hangs up.
      const refuse = (why: string): void => {
        webSocket.close(1009, why);
        socket.pause();
        parts.clock.after(FAREWELL_MS, () => webSocket.terminate());
      };
      countBytes(socket, visitor, () => refuse("preauth payload too large"));
      const connection = serveConnection(
        webSocket,
        { headers, client, isEncrypted, localAddress: socket.localAddress },
        visitor,
        parts.connection,
      );
      const limit = (): number => connection.messageLimit;
      watchMessageSize(socket, webSocket, limit, () => refuse(`message too large: at most ${limit()} bytes`));
    });
  };

  const servers: Server[] = [];
  let { port } = parts;
  for (const host of parts.hosts) {
    const server = await createListener(parts.tls);
    server.on("connection", welcome).on("request", answerInTurn(parts.clock, answer)).on("upgrade", upgrade);
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.maxRequestsPerSocket = MAX_REQUESTS;
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
      const closing = Promise.all(servers.map((server) => closeServer(server)));
      sockets.close();
      for (const visitor of visitors.values()) visitor.dismiss();
      await closing;
    },
    endGranted: router.endGranted,
    drop() {
      for (const socket of everySocket) socket.destroy();
    },
  };
}

async function createListener(tls: DoorParts["tls"]): Promise<Server> {
  if (!tls) return createServer();
  const https = await import("node:https");
  return https.createServer({ cert: tls.cert, key: tls.key });
}

function farEndOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Who was too slow is told so, and has a moment to hear it. */
function sendAway(webSocket: WebSocket, why: PreauthEnd, clock: Clock): void {
  if (why === "evicted") return webSocket.terminate();
  webSocket.close(1000, "handshake timeout: connect did not come in time");
  clock.after(FAREWELL_MS, () => webSocket.terminate());
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

/** The other side may never hang up, so it is not waited for. */
function refuseUpgrade(socket: Socket, message: string): void {
  socket.once("finish", () => socket.destroy());
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
