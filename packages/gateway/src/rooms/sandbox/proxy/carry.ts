// Carries bytes between a program inside and the host it was allowed to reach.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@chela/sdk";
import { passedOn, type WantedPage } from "./read-request.ts";
import type { Refusal } from "./refusals.ts";
import { watchIdle } from "./watch-idle.ts";

/** Connections that wait for something to happen are common; those that are forgotten are too. */
const TUNNEL_IDLE_MS = 5 * 60_000;
const PAGE_IDLE_MS = 60_000;

export function openTunnel(inside: Socket, outside: Socket, head: Buffer, clock: Clock): void {
  const end = (): void => {
    watch.stop();
    inside.destroy();
    outside.destroy();
  };
  const watch = watchIdle(clock, TUNNEL_IDLE_MS, end);
  // Either side may have said all it has to say while it still listens.
  outside.allowHalfOpen = true;
  inside.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) outside.write(head);
  for (const [from, to] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    from.on("data", () => watch.touch());
    from.on("error", end);
    from.once("close", () => {
      // What was read is still handed on before the other side is closed.
      if (to.destroyed || to.writableFinished) end();
      else to.end(end);
    });
    from.pipe(to);
  }
}

export interface PageSides {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clock: Clock;
  refuse(refusal: Refusal): void;
}

export function forwardPage(page: WantedPage, socket: Socket, { request, response, clock, refuse }: PageSides): void {
  const end = (): void => {
    watch.stop();
    socket.destroy();
    request.destroy();
  };
  const watch = watchIdle(clock, PAGE_IDLE_MS, end);
  const outgoing = process.getBuiltinModule("node:http").request({
    createConnection: () => socket,
    setHost: false,
    method: page.method,
    path: page.path,
    headers: [...page.headers, "connection", "close"],
  });
  const fail = (): void => {
    watch.stop();
    socket.destroy();
    if (response.headersSent) return void request.destroy();
    refuse({ status: 502, says: `${page.host} did not answer properly.` });
  };
  outgoing.on("error", fail);
  outgoing.on("upgrade", fail);
  outgoing.once("response", (incoming) => {
    incoming.on("data", () => watch.touch());
    incoming.on("error", () => request.destroy());
    incoming.once("close", () => socket.destroy());
    response.writeHead(incoming.statusCode ?? 502, [...passedOn(incoming), "connection", "close"]);
    incoming.pipe(response);
  });
  response.once("close", end);
  request.on("error", end);
  if (!page.hasBody) return void outgoing.end();
  request.on("data", () => watch.touch());
  request.pipe(outgoing);
}
