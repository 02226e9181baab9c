// A server that sends everybody elsewhere, and the elsewhere, which writes down all it is told.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface RedirectingServer extends AsyncDisposable {
  /** Whoever is told this address is sent on. */
  readonly origin: string;
  /** Everything that came here: the first part of the path, and what was in the request. */
  readonly arrived: ReadonlyArray<{ readonly client: string; readonly request: string }>;
  /** Everything that came where they were sent. */
  readonly strayed: readonly string[];
}

/** `status` is one of the five that name another place. */
export async function openRedirectingServer(status: number): Promise<RedirectingServer> {
  const arrived: Array<{ client: string; request: string }> = [];
  const strayed: string[] = [];
  const elsewhere = createServer((request, response) => {
    void read(request).then((text) => {
      strayed.push(text);
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    });
  });
  const elsewherePort = await listen(elsewhere);
  const first = createServer((request, response) => {
    void read(request).then((text) => {
      arrived.push({ client: /^\/([^/?]*)/.exec(request.url ?? "")?.[1] ?? "", request: text });
      response.writeHead(status, { location: `http://127.0.0.1:${elsewherePort}${request.url}` }).end();
    });
  });
  const origin = `http://127.0.0.1:${await listen(first)}`;
  return {
    origin,
    arrived,
    strayed,
    async [Symbol.asyncDispose]() {
      for (const server of [first, elsewhere]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const head = [`${request.method} ${request.url}`, ...request.rawHeaders].join("\n");
  return `${head}\n\n${Buffer.concat(parts).toString("latin1")}`;
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
