// A model server that answers with bytes as a test wrote them, whatever HTTP and the API say.
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** Writes one answer. What it writes after the other side hung up goes nowhere. */
export type RawAnswer = (socket: Socket) => Promise<void> | void;

export interface RawModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** Requests so far. */
  readonly asked: number;
  /** Of all requests from now on. */
  answer(next: RawAnswer): void;
}

export async function startRawModel(): Promise<RawModel> {
  let answer: RawAnswer = (socket) => void socket.end();
  let asked = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    let come = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      come = Buffer.concat([come, bytes]);
      if (!isWhole(come)) return;
      come = Buffer.alloc(0);
      asked += 1;
      void answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get asked() {
      return asked;
    },
    answer: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isWhole(request: Buffer): boolean {
  const end = request.indexOf("\r\n\r\n");
  const length = Number(/content-length: (\d+)/i.exec(request.subarray(0, Math.max(0, end)).toString("latin1"))?.[1]);
  return end >= 0 && request.length - end - 4 >= length;
}

/** Resolves when the other side has taken it, or is gone: false. */
export function send(socket: Socket, bytes: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve(false);
    else socket.write(bytes, (error) => resolve(!error && !socket.destroyed));
  });
}

/** One event of a chat completion. */
export function chatEvent(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 0, model: "m", choices })}\n\n`;
}

export const chatEnd = (reason = "stop"): string => `${chatEvent({}, reason)}data: [DONE]\n\n`;
