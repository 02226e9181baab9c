// What a stranger finds out about a gateway that runs.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { probeGateway } from "./room.ts";

async function serve(answer: (request: IncomingMessage) => number | undefined, host = "127.0.0.1") {
  const server = createServer((request, response) => {
    const status = answer(request);
    if (status !== undefined) response.writeHead(status).end();
  }).listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const target = (port: number, addresses: readonly string[] = []) => ({
  port,
  addresses,
  isTls: false,
  hooksPath: "/hooks",
  timeoutMs: 500,
});
const isPublic = ({ url }: IncomingMessage): boolean => url === "/healthz";

describe("a probe", () => {
  it("finds nothing where everything is locked", async () => {
    await using server = await serve((request) => (isPublic(request) ? 200 : 401));
    expect(await probeGateway(target(server.port, ["127.0.0.2"]))).toEqual({
      port: server.port,
      reachedAt: [],
      openRoutes: [],
      takesWrongCredential: false,
    });
  });

  it("tells every address that answers, and every route that does not ask", async () => {
    const isOpen = ({ url }: IncomingMessage): boolean => url === "/v1/models" || url === "/hooks/wake";
    await using server = await serve((request) => (isPublic(request) ? 200 : isOpen(request) ? 400 : 404), "0.0.0.0");
    expect(await probeGateway(target(server.port, ["127.0.0.2", "127.0.0.3"]))).toEqual({
      port: server.port,
      reachedAt: ["127.0.0.2", "127.0.0.3"],
      openRoutes: ["GET /v1/models", "POST /hooks/wake"],
      takesWrongCredential: true,
    });
  });

  it("also tries one that listens on another address only", async () => {
    await using server = await serve((request) => (isPublic(request) ? 200 : 401), "127.0.0.2");
    expect(await probeGateway(target(server.port, ["127.0.0.2"]))).toMatchObject({
      reachedAt: ["127.0.0.2"],
      openRoutes: [],
    });
  });

  it("tells nothing when nobody answers", async () => {
    const { port } = await serveNobody();
    expect(await probeGateway(target(port))).toBeUndefined();
  });
});

/** A port that was free a moment ago. */
async function serveNobody(): Promise<{ readonly port: number }> {
  await using server = await serve(() => 200);
  return { port: server.port };
}
