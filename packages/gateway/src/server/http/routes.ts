// The table of HTTP routes.
import type { TurnBus } from "../../flow/turn/bus.ts";
import type { House } from "../../house/house.ts";
import type { CallMethod } from "./method-route.ts";
import { decodePart, HttpError, sendJson } from "./request.ts";
import type { HttpCall, Route } from "./router.ts";
import { webhookRoute } from "./webhook-route.ts";

export interface RouteParts {
  readonly gateway: House;
  readonly bus: TurnBus;
  readonly pageRoot: string;
  /** Answers with what a protocol method says. */
  readonly method: CallMethod;
  /** False while the gateway is stopping. */
  isReady(): boolean;
}

const READ = ["GET", "HEAD"];

export function createRoutes(parts: RouteParts): Route[] {
  const { gateway, bus, method } = parts;
  const api = { gateway, method };
  const live: Route["handle"] = ({ response }) => sendJson(response, 200, { ok: true, status: "live" });
  const ready: Route["handle"] = ({ response }) => {
    const isReady = parts.isReady();
    sendJson(response, isReady ? 200 : 503, { ready: isReady });
  };
  const openAi =
    (name: "chatCompletions" | "responses", run: (call: HttpCall) => Promise<void>) => (call: HttpCall) => {
      requireEndpoint(gateway, name, call);
      return run(call);
    };
  return [
    gateway.mounts.route(),
    webhookRoute(gateway),
    ...["/health", "/healthz"].map((path): Route => ({ methods: READ, path, auth: "public", handle: live })),
    ...["/ready", "/readyz"].map((path): Route => ({ methods: READ, path, auth: "public", handle: ready })),
    {
      methods: ["POST"],
      path: "/v1/chat/completions",
      auth: "bearer",
      handle: openAi("chatCompletions", async (call) =>
        (await import("./chat-completions.ts")).chatCompletions(call, { gateway, bus }),
      ),
    },
    {
      methods: ["POST"],
      path: "/v1/responses",
      auth: "bearer",
      handle: openAi("responses", async (call) => (await import("./responses.ts")).responses(call, { gateway, bus })),
    },
    {
      methods: READ,
      path: (path) => path === "/v1/models" || path.startsWith("/v1/models/"),
      auth: "bearer",
      handle: (call) => listModels(call, gateway),
    },
    {
      methods: ["GET"],
      path: "/api/status",
      auth: "bearer",
      handle: async (call) => (await import("./api.ts")).readStatus(call, api),
    },
    {
      methods: ["GET"],
      path: "/api/sessions",
      auth: "bearer",
      handle: async (call) => (await import("./api.ts")).listSessions(call, api),
    },
    {
      methods: ["POST"],
      path: "/api/send",
      auth: "bearer",
      handle: async (call) => (await import("./api.ts")).sendMessage(call, api),
    },
    {
      methods: ["GET"],
      path: "/api/sessions/home",
      auth: "bearer",
      handle: async (call) => (await import("./home-session.ts")).readHome(call, gateway),
    },
    {
      methods: ["POST"],
      path: "/api/sessions/home",
      auth: "bearer",
      handle: async (call) => (await import("./home-session.ts")).sayAtHome(call, gateway),
    },
    {
      methods: ["POST"],
      path: "/tools/invoke",
      auth: "bearer",
      handle: async (call) => (await import("./tools-invoke.ts")).invokeTool(call, gateway),
    },
    {
      methods: READ,
      path: (path) => /^\/sessions\/[^/]+\/history$/.test(path),
      auth: "bearer",
      handle: async (call) => (await import("./session-routes.ts")).readHistory(call, api),
    },
    {
      methods: ["POST"],
      path: (path) => /^\/sessions\/[^/]+\/kill$/.test(path),
      auth: "bearer",
      handle: async (call) => (await import("./session-routes.ts")).killSession(call, api),
    },
    {
      methods: READ,
      path: (path) => /\/avatar\/[^/]+$/.test(path),
      auth: "page",
      handle: async (call) => (await import("./avatar.ts")).serveAvatar(call, gateway),
    },
    {
      methods: READ,
      // The control page owns what is left, but not what looks like an API.
      path: (path) => !/^\/(api|v1|hooks|tools)(\/|$)|^\/sessions\/[^/]+\/(history|kill)$/.test(path),
      auth: "page",
      handle: async (call) =>
        (await import("./control-page.ts")).serveControlPage(call, { root: parts.pageRoot, gateway }),
    },
  ];
}

/** On by default for this machine only; `enabled` in the configuration opens it further, or shuts it. */
function requireEndpoint(gateway: House, name: "chatCompletions" | "responses", call: HttpCall): void {
  const enabled = gateway.config.current().gateway?.http?.endpoints?.[name]?.enabled;
  if (enabled ?? call.client.isLocal) return;
  const why = `This endpoint is switched off. Set gateway.http.endpoints.${name}.enabled to true to use it.`;
  throw new HttpError(404, "not_found", why);
}

/** Agents are what a client of this API takes for models. */
async function listModels({ response, url }: HttpCall, gateway: House): Promise<void> {
  const created = Math.floor(gateway.startedAt / 1000);
  const agents = (await import("../../rooms/routing/room.ts")).listAgents(gateway.config.current());
  const ids = ["openclaw", ...agents.map(({ id }) => `openclaw:${id}`)];
  const data = ids.map((id) => ({ id, object: "model", created, owned_by: "chela" }));
  const wanted = decodePart(url.pathname.slice("/v1/models/".length));
  if (!wanted) return sendJson(response, 200, { object: "list", data });
  const found = data.find(({ id }) => id === wanted || id === wanted.replace("/", ":"));
  if (!found) throw new HttpError(404, "not_found", `There is no model "${wanted}". GET /v1/models lists them.`);
  sendJson(response, 200, found);
}
