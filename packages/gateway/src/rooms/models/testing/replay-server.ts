// A loopback server for tests: it answers with what a provider once answered, in small pieces, and keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** What happens after the body: a proper end, silence, or a broken connection. */
  readonly ending?: "end" | "hang" | "destroy";
  /** In one piece, for bodies that are long. */
  readonly isWhole?: boolean;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly text: string;
  /** What it says, when it is JSON. */
  readonly body: unknown;
}

export interface ReplayServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** How many connections were opened so far. */
  readonly connections: number;
  /** The next request gets this answer; several are given in order, the last one again and again. */
  answer(...replies: Reply[]): void;
  /** Resolves when the body of the next reply has been sent. */
  sent(): Promise<void>;
  /** Resolves when nobody is connected any more. */
  left(): Promise<void>;
  close(): Promise<void>;
}

/** Odd, so that events and letters of several bytes are torn apart. */
const PIECE_BYTES = 61;

export async function openReplayServer(): Promise<ReplayServer> {
  const requests: RecordedRequest[] = [];
  let replies: Reply[] = [];
  let connections = 0;
  let noteSent: () => void = () => undefined;
  const server: Server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const { method = "", url: path = "", headers } = incoming;
      requests.push({ method, path, headers, text, body: text.startsWith("{") ? JSON.parse(text) : undefined });
      const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 404, body: "{}" };
      void send(outgoing, reply).then(() => noteSent());
    });
  });
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections++;
    open.add(socket.once("close", () => open.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return connections;
    },
    answer: (...next) => {
      replies = next;
    },
    left: async () =>
      void (await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once("close", resolve))))),
    sent: () => new Promise((resolve) => (noteSent = resolve)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function send(outgoing: ServerResponse, reply: Reply): Promise<void> {
  outgoing.writeHead(reply.status ?? 200, { "content-type": "text/event-stream", ...reply.headers });
  const bytes = Buffer.from(reply.body);
  const step = reply.isWhole ? bytes.length : PIECE_BYTES;
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += step) {
    await new Promise<void>((resolve) => outgoing.write(bytes.subarray(at, at + step), () => resolve()));
  }
  if (reply.ending === "destroy") outgoing.destroy();
  else if (reply.ending !== "hang") outgoing.end();
  else outgoing.flushHeaders();
}
