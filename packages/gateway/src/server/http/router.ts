// Routes HTTP requests: who asks is found out, then the first route that fits and lets them in answers.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientAddress, HttpRoute, Logger } from "@chela/sdk";
import type { CallMethod } from "./method-route.ts";
import {
  authorize,
  decideHttpRequest,
  decideTransport,
  foreignPageOf,
  resolveClient,
  type AddressList,
  type AuthParts,
  type OriginRules,
} from "../auth/index.ts";
import { bearerOf, HttpError, refuseAmbiguous, sendHttpError, sendText, urlOf } from "../../base/http/request.ts";

interface RouterRules {
  readonly auth: AuthParts;
  readonly origins: OriginRules;
  readonly proxies: AddressList;
  readonly allowRealIpFallback: boolean;
  readonly isTailscaleOn: boolean;
  readonly allowPlaintext: boolean;
  readonly strictTransportSecurity?: string | undefined;
}

export interface Router {
  /** `grant` is called when the request has shown the gateway's secret. */
  answer(request: IncomingMessage, response: ServerResponse, grant: () => void): void;
  /** Ends the requests that were let in with the gateway's secret: it is no longer the same. */
  endGranted(): void;
}

const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** In which routes with a secret of their own find it as it is. A signature may travel in the open. */
const SECRET_HEADERS = ["authorization", "x-openclaw-token", "x-telegram-bot-api-secret-token"];

export interface RouterParts<House> {
  /** As they are now. */
  routes(): ReadonlyArray<HttpRoute<House>>;
  readonly house: House;
  readonly callMethod: CallMethod;
  readonly log: Logger;
  rules(): RouterRules;
  /** Somebody showed a wrong secret, or none. */
  turnedAway(who: { readonly ip: string; readonly path: string; readonly why: string }): void;
}

export function createRouter<House>(parts: RouterParts<House>): Router {
  const { house, rules, log, turnedAway } = parts;
  const granted = new Set<ServerResponse>();
  const endGranted = (): void => {
    for (const response of granted) response.destroy();
  };
  const answer: Router["answer"] = (request, response, grant) => {
    void route(request, response, grant).catch((error: unknown) => {
      if (error instanceof HttpError) return sendHttpError(response, error);
      log.error("http request failed", {
        path: request.url,
        error: error instanceof Error ? error.stack : String(error),
      });
      if (response.headersSent) response.destroy();
      else sendText(response, 500, "Internal Server Error");
    });
  };
  return { answer, endGranted };

  async function route(...[request, response, grant]: Parameters<Router["answer"]>): Promise<void> {
    const now = rules();
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    // Whatever an answer turns out to be, it is no page; the control page says what it needs instead.
    response.setHeader("content-security-policy", NO_PAGE);
    if (now.strictTransportSecurity) response.setHeader("strict-transport-security", now.strictTransportSecurity);
    refuseAmbiguous(request);
    const { headers, method = "GET" } = request;
    const client = resolveClient({
      peerAddress: request.socket.remoteAddress,
      headers,
      trustedProxies: now.proxies,
      allowRealIpFallback: now.allowRealIpFallback,
      isTailscaleOn: now.isTailscaleOn,
    });
    const origin = decideHttpRequest({ headers, client, method }, now.origins);
    if (origin.kind === "refused") return sendText(response, 403, origin.message);
    const url = urlOf(request);
    const found = parts.routes().filter((one) => fits(one, url.pathname, house));
    if (found.length === 0) return sendText(response, 404, "Not Found");
    const match = found.find(({ methods }) => methods.includes(method));
    if (!match) {
      const allow = [...new Set(found.flatMap(({ methods }) => methods))].join(", ");
      return sendText(response, 405, "Method Not Allowed", { allow });
    }
    if (match.auth === "own-secret" && SECRET_HEADERS.some((name) => headers[name] !== undefined)) {
      requireSafeTransport(request, client, now);
    }
    const call = { request, response, url, client, foreignPage: foreignPageOf(headers) };
    if (match.auth !== "bearer") return match.handle(call, house);
    requireSafeTransport(request, client, now);
    await requireBearer(request, client, now).catch((error: unknown) => {
      turnedAway({ ip: client.ip, path: url.pathname, why: error instanceof Error ? error.message : "unauthorized" });
      throw error;
    });
    grant();
    granted.add(response);
    response.once("close", () => granted.delete(response));
    await match.handle({ ...call, callMethod: (method, params) => parts.callMethod(method, params, client) }, house);
  }
}

/** Whether a route answers a path. */
export function fits<House>({ path }: HttpRoute<House>, asked: string, house: House): boolean {
  return typeof path === "string" ? path === asked : path(asked, house);
}

/** Before it is looked at: whoever reads along must not learn whether it was right. */
function requireSafeTransport(request: IncomingMessage, client: ClientAddress, rules: RouterRules): void {
  const { headers, socket } = request;
  const isEncrypted = "encrypted" in socket;
  const transport = decideTransport({ client, headers, isEncrypted, localAddress: socket.localAddress });
  if (transport.kind === "plaintext" && !rules.allowPlaintext) throw new HttpError(403, "forbidden", transport.message);
}

async function requireBearer(request: IncomingMessage, client: ClientAddress, rules: RouterRules): Promise<void> {
  const { headers } = request;
  const secret = bearerOf(request);
  const outcome = await authorize(
    {
      credentials: {
        token: secret,
        password: secret,
      },
      client,
      headers,
      surface: "http",
      clientKind: "other",
      foreignPage: foreignPageOf(headers),
    },
    rules.auth,
  );
  if (outcome.kind === "ok") return;
  if (outcome.reason === "rate_limited") {
    const seconds = String(Math.ceil((outcome.retryAfterMs ?? 60_000) / 1000));
    throw new HttpError(429, "rate_limited", outcome.message, { "retry-after": seconds });
  }
  throw new HttpError(401, "unauthorized", "Unauthorized", { "www-authenticate": "Bearer" });
}
