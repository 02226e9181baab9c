// An HTTP proxy on a unix socket, for programs inside a sandbox: only hosts on a list, only public addresses, and nothing added.
import { chmodSync, lstatSync, rmSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as SocketServer, Socket } from "node:net";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import { forwardPage, openTunnel } from "./carry.ts";
import { findWay, type WayParts } from "./find-way.ts";
import { readPage, readTunnel } from "./read-request.ts";
import { createRefusalLog, writeRefusal, type Refusal } from "./refusals.ts";

export interface FilteringProxyParts extends WayParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Where to listen. The folder around it must be private. */
  readonly listenPath: string;
}

export interface FilteringProxy {
  readonly socketPath: string;
  /** Also ends what is being carried. */
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 16 * 1024;
const HEADER_MS = 10_000;

/** Throws SANDBOX_FAILED when it cannot listen. */
export async function createFilteringProxy(parts: FilteringProxyParts): Promise<FilteringProxy> {
  const open = new Set<Socket>();
  /** Whoever sends headers byte by byte keeps a place only so long. */
  const waiting = new Map<Socket, () => void>();
  const stopWaiting = (socket: Socket): void => {
    waiting.get(socket)?.();
    waiting.delete(socket);
  };
  const http = createHttpServer(parts, stopWaiting);
  const { createServer } = process.getBuiltinModule("node:net");
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    if (open.size >= MOST_CONNECTIONS) return turnAway(socket);
    open.add(socket);
    waiting.set(
      socket,
      parts.clock.after(HEADER_MS, () => socket.destroy()),
    );
    socket.once("close", () => {
      open.delete(socket);
      stopWaiting(socket);
    });
    http.emit("connection", socket);
  });
  await listen(server, parts.listenPath);
  return {
    socketPath: parts.listenPath,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function listen(server: SocketServer, path: string): Promise<void> {
  try {
    // What an earlier run left behind; nothing else is ever removed.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  } catch (error) {
    server.close();
    throw new GatewayError("SANDBOX_FAILED", `the proxy for allowed hosts cannot listen at ${path}`, { cause: error });
  }
}

function turnAway(socket: Socket): void {
  const says = `This sandbox has ${MOST_CONNECTIONS} connections open already; try again when some are closed.`;
  socket.resume();
  socket.end(writeRefusal({ status: 503, says }), () => socket.destroy());
}

/** Each connection carries one request: there is nothing to smuggle a second one into. */
function createHttpServer(parts: FilteringProxyParts, onHeaders: (socket: Socket) => void): Server {
  const logRefusal = createRefusalLog(parts.clock, parts.log);
  const options = { maxHeaderSize: MAX_HEADER_BYTES, keepAlive: false, headersTimeout: 0, requestTimeout: 0 };
  const http = process.getBuiltinModule("node:http").createServer(options);
  http.maxRequestsPerSocket = 1;
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    onHeaders(request.socket);
    void servePage(request, response, parts, logRefusal);
  });
  http.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    onHeaders(socket);
    void serveTunnel(request, socket, head, parts, logRefusal);
  });
  http.on("clientError", (_error, socket) => {
    if (!socket.writable) return void socket.destroy();
    const says = `This is no request a proxy takes; its headers must be whole and at most ${MAX_HEADER_BYTES} bytes long.`;
    socket.end(writeRefusal({ status: 400, says }), () => socket.destroy());
  });
  return http;
}

type LogRefusal = ReturnType<typeof createRefusalLog>;

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  parts: FilteringProxyParts,
  logRefusal: LogRefusal,
): Promise<void> {
  const refuse = (refusal: Refusal, why?: string): void => {
    logRefusal(refusal, why);
    response.writeHead(refusal.status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(`${refusal.says}\n`);
  };
  const page = readPage(request);
  if ("status" in page) return refuse(page);
  const way = await findWay({ protocol: "http:", ...page }, parts);
  if (way.kind === "refused") return refuse(way.refusal, way.why);
  if (response.destroyed) return void way.socket.destroy();
  forwardPage(page, way.socket, { request, response, clock: parts.clock, refuse });
}

async function serveTunnel(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  parts: FilteringProxyParts,
  logRefusal: LogRefusal,
): Promise<void> {
  const refuse = (refusal: Refusal, why?: string): void => {
    logRefusal(refusal, why);
    socket.end(writeRefusal(refusal), () => socket.destroy());
  };
  const tunnel = readTunnel(request);
  if ("status" in tunnel) return refuse(tunnel);
  const way = await findWay({ protocol: "https:", ...tunnel }, parts);
  if (way.kind === "refused") return refuse(way.refusal, way.why);
  if (socket.destroyed) return void way.socket.destroy();
  openTunnel(socket, way.socket, head, parts.clock);
}
