// A second, loopback-only listener for scripts: serves the home session to whoever holds its own secret.
import { createServer } from "node:http";
import { GatewayError } from "@chela/sdk";
import { digestSecret, parseAddressList, resolveClient } from "./auth/index.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { readHome, sayAtHome } from "./http/home-session.ts";
import { bearerOf, HttpError, sendHttpError, sendText, urlOf } from "./http/request.ts";
import type { HttpCall } from "./http/router.ts";

const DEFAULT_PORT = 8080;
const HOST = "127.0.0.1";

/** Undefined unless OPENCLAW_CLI_SECRET is set. */
export async function openSecondDoor(parts: {
  readonly gateway: GatewayParts;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<{ readonly port: number; close(): Promise<void> } | undefined> {
  const { gateway, env } = parts;
  const secret = env["OPENCLAW_CLI_SECRET"]?.trim();
  if (!secret) return undefined;
  gateway.log.addSecret(secret);
  const expected = digestSecret(secret);
  const port = Number(env["OPENCLAW_CLI_PORT"] ?? DEFAULT_PORT);

  const answer = async (
    request: HttpCall["request"],
    response: HttpCall["response"],
    client: HttpCall["client"],
  ): Promise<void> => {
    const call = { request, response, url: urlOf(request), client };
    const isHome = call.url.pathname === "/api/sessions/home";
    if (!call.client.isLocal || request.headers.origin !== undefined) return sendText(response, 403, "Forbidden");
    const given = bearerOf(request);
    if (!given || !expected.matches(given))
      throw new HttpError(401, "unauthorized", "Unauthorized", { "www-authenticate": "Bearer" });
    if (isHome && request.method === "GET") return readHome(call, gateway);
    if (isHome && request.method === "POST") return sayAtHome(call, gateway);
    sendText(response, isHome ? 405 : 404, isHome ? "Method Not Allowed" : "Not Found");
  };

  const proxies = parseAddressList([]);
  const server = createServer((request, response) => {
    response.setHeader("x-content-type-options", "nosniff");
    const client = resolveClient({
      peerAddress: request.socket.remoteAddress,
      headers: request.headers,
      trustedProxies: proxies,
    });
    void answer(request, response, client).catch((error: unknown) => {
      if (error instanceof HttpError) return sendHttpError(response, error);
      gateway.log.error("second listener failed", { error: String(error) });
      if (response.headersSent) response.destroy();
      else sendText(response, 500, "Internal Server Error");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new GatewayError("START_PORT", `${HOST}:${port} (OPENCLAW_CLI_PORT): ${error.message}`)),
    );
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
