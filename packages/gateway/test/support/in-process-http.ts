// HTTP as a stranger speaks it: raw requests with any headers, and streams of events read line by line.
import { request, type IncomingHttpHeaders } from "node:http";
import { connect, createServer, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with exactly these headers, which `fetch` would not send. */
export function rawRequest(
  port: number,
  options: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  },
): Promise<RawAnswer> {
  const { method = "GET", path = "/", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers: got } = response;
        resolve({ status: statusCode, headers: got, text: Buffer.concat(parts).toString("utf8") });
      });
    });
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: "" });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

export const UPGRADE_HEADERS = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

export interface StreamedEvent {
  readonly event?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into data of every shape
  readonly data: any;
}

/** The events of a finished stream; `[DONE]` stays text. */
export function parseEvents(text: string): StreamedEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.trim() !== "")
    .map((block) => {
      const field = (name: string) =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field("data") ?? "";
      const event = field("event");
      return { ...(event ? { event } : {}), data: data === "[DONE]" ? data : (JSON.parse(data) as unknown) };
    });
}

/** A bare connection that is open. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}

/** Everything the other side sends until it closes. */
export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (part) => (text += String(part)));
    socket.once("close", () => resolve(text));
  });
}

/** A port that nobody uses right now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
