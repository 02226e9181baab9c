// A second, loopback-only listener for scripts: serves the home session to whoever holds its own secret.
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { GatewayError } from "@chela/sdk";
import { refusedLoginEvent } from "../rooms/audit/room.ts";
import { errnoOf } from "@chela/sdk/files";
import {
  createRateLimiter,
  createWaitingRoom,
  digestSecret,
  foreignPageOf,
  parseAddressList,
  resolveClient,
  type RateLimiter,
  type RateLimitSettings,
  type SecretDigest,
  type Visitor,
} from "./auth/index.ts";
import type { House } from "../house/house.ts";
import { readHome, sayAtHome } from "./http/home-session.ts";
import { answerInTurn } from "./http/in-turn.ts";
import { bearerOf, HttpError, sendHttpError, sendText, urlOf, refuseAmbiguous } from "../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";

const DEFAULT_PORT = 8080;
const HOST = "127.0.0.1";
const NO_PROXIES = parseAddressList([]);
/** From the first byte of a request to the last of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Any program of the machine may connect: those that have not shown the secret get little room, and the oldest goes. */
const STRANGERS = { maxTotal: 256, maxPerIp: 256, maxBytes: Infinity, timeoutMs: 10_000 };

export interface HomeListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Undefined unless OPENCLAW_CLI_SECRET is set. */
export async function openHomeListener(parts: {
  readonly gateway: House;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<HomeListener | undefined> {
  const { gateway, env } = parts;
  const secret = env["OPENCLAW_CLI_SECRET"]?.trim();
  if (!secret) return undefined;
  gateway.log.addSecret(secret);
  const port = readPort(env["OPENCLAW_CLI_PORT"]);
  const guard = { secret: digestSecret(secret), limiter: createGuessLimit(gateway) };

  const waiting = createWaitingRoom(gateway.clock, STRANGERS);
  const strangers = new WeakMap<Socket, Visitor>();
  const welcome = (socket: Socket): void => {
    const client = resolveClient({ peerAddress: socket.remoteAddress, headers: {}, trustedProxies: NO_PROXIES });
    const stranger = waiting.enter(client, () => socket.destroy());
    strangers.set(socket, stranger);
    socket.once("close", () => stranger.leave());
  };

  const answer = async (call: HttpCall): Promise<void> => {
    const { request, response, url, client } = call;
    if (!client.isLocal || request.headers.origin !== undefined) return sendText(response, 403, "Forbidden");
    requireSecret(call, guard, (why) => {
      const facts = { surface: "http", ip: client.ip, why, path: url.pathname } as const;
      gateway.audit.refusedLogins.add(refusedLoginEvent(facts));
    });
    strangers.get(request.socket)?.leave();
    const isHome = url.pathname === "/api/sessions/home";
    if (isHome && request.method === "GET") return readHome(call, gateway);
    if (isHome && request.method === "POST") return sayAtHome(call, gateway);
    sendText(response, isHome ? 405 : 404, isHome ? "Method Not Allowed" : "Not Found");
  };

  const server = createServer(
    answerInTurn(gateway.clock, (request, response) => {
      response.setHeader("x-content-type-options", "nosniff");
      const { headers, socket } = request;
      const client = resolveClient({
        peerAddress: socket.remoteAddress,
        headers,
        trustedProxies: NO_PROXIES,
      });
      const begin = async (): Promise<void> => {
        refuseAmbiguous(request);
        await answer({ request, response, url: urlOf(request), client, foreignPage: foreignPageOf(headers) });
      };
      void begin().catch((error: unknown) => {
        if (error instanceof HttpError) return sendHttpError(response, error);
        gateway.log.error("second listener failed", { error: String(error) });
        if (response.headersSent) response.destroy();
        else sendText(response, 500, "Internal Server Error");
      });
    }),
  );
  server.on("connection", welcome);
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await listen(server, port);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Not set, or set to nothing: the usual one. What is not a port is an error, never another port. */
function readPort(written: string | undefined): number {
  const text = written?.trim();
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new GatewayError("START_CLI_PORT", `OPENCLAW_CLI_PORT is "${text}", which is not a port`);
}

/** Whoever is on this machine may knock, so nobody is locked out: that would be the scripts of the owner. */
function createGuessLimit({ clock, config }: House): RateLimiter {
  const { maxAttempts, windowMs }: RateLimitSettings = config.current().gateway?.auth?.rateLimit ?? {};
  return createRateLimiter(clock, { maxAttempts, windowMs });
}

function requireSecret(
  { request, client }: HttpCall,
  { secret, limiter }: { readonly secret: SecretDigest; readonly limiter: RateLimiter },
  refused: (why: string) => void,
): void {
  const deny = (why: string, error: HttpError): HttpError => {
    refused(why);
    return error;
  };
  const unauthorized = new HttpError(401, "unauthorized", "Unauthorized", { "www-authenticate": "Bearer" });
  const given = bearerOf(request);
  if (!given) throw deny("no secret for the listener for scripts", unauthorized);
  const attempt = limiter.begin("cli-secret", { client, foreignPage: undefined, isWeak: secret.isWeak });
  if (attempt.kind === "limited") {
    const seconds = String(Math.ceil(attempt.retryAfterMs / 1000));
    const why = "too many wrong secrets for the listener for scripts";
    throw deny(why, new HttpError(429, "rate_limited", `${why}; wait ${seconds} s`, { "retry-after": seconds }));
  }
  if (secret.matches(given)) return attempt.succeed();
  attempt.fail();
  throw deny("wrong secret for the listener for scripts", unauthorized);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const why = errnoOf(error) === "EADDRINUSE" ? "it is already in use" : (errnoOf(error) ?? error.message);
      reject(new GatewayError("START_CLI_PORT", `${HOST}:${port}: ${why}`));
    });
    server.listen(port, HOST, resolve);
  });
}
