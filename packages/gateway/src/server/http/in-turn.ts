// Answers the requests of one connection one after the other: nothing is opened for an answer that cannot be sent yet.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@chela/sdk";

type RequestAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** Who asks ahead may ask for this much; no browser and hardly any program does. */
const MAX_AHEAD = 16;
/** Who is answered before they said all may go on for this long, unheard, so that they come to read the answer. */
const LINGER_MS = 1_000;

export function answerInTurn(clock: Clock, answer: RequestAnswer): RequestAnswer {
  /** Requests that wait for the one before them; only of connections on which one is being answered. */
  const waiting = new WeakMap<Socket, Array<() => void>>();

  const begin = (socket: Socket, request: IncomingMessage, response: ServerResponse): void => {
    response.once("close", () => {
      const next = waiting.get(socket)?.shift();
      if (next && !socket.destroyed) next();
      else waiting.delete(socket);
    });
    response.once("finish", () => {
      if (request.complete) return;
      const cancel = clock.after(LINGER_MS, () => void (request.complete || socket.destroy()));
      request.once("close", cancel);
    });
    answer(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      return begin(socket, request, response);
    }
    if (queue.length >= MAX_AHEAD) return void socket.destroy();
    queue.push(() => begin(socket, request, response));
  };
}
