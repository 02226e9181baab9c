// HTTP routes of the gateway itself, and the list of all that are contributed.
import type { Contribution, HolderCall, HttpCall, HttpRoute } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { decodePart, HttpError, sendJson } from "../../base/http/request.ts";

type Route = HttpRoute<House>;

const READ = ["GET", "HEAD"];

/** Those of probes and of the control page. */
const PAGE_ROUTES: readonly Route[] = [
  ...["/health", "/healthz"].map((path): Route => ({
    methods: READ,
    path,
    auth: "public",
    handle: async ({ response }) => sendJson(response, 200, { ok: true, status: "live" }),
  })),
  ...["/ready", "/readyz"].map((path): Route => ({
    methods: READ,
    path,
    auth: "public",
    handle: async ({ response }, { door }) => sendJson(response, door.isReady ? 200 : 503, { ready: door.isReady }),
  })),
  {
    methods: READ,
    path: (path) => /\/avatar\/[^/]+$/.test(path),
    auth: "page",
    handle: async (call, house) => (await import("./avatar.ts")).serveAvatar(call, house),
  },
  {
    methods: READ,
    // The control page owns what is left, but not what looks like an API.
    path: (path) => !/^\/(api|v1|hooks|tools)(\/|$)|^\/sessions\/[^/]+\/(history|kill)$/.test(path),
    auth: "page",
    handle: async (call, house) => (await import("./control-page.ts")).serveControlPage(call, house),
  },
];

/** Those that OpenAI's clients know. */
const OPENAI_ROUTES: readonly Route[] = [
  {
    methods: ["POST"],
    path: "/v1/chat/completions",
    auth: "bearer",
    async handle(call, house) {
      requireEndpoint(house, "chatCompletions", call);
      return (await import("./chat-completions.ts")).chatCompletions(call, house);
    },
  },
  {
    methods: ["POST"],
    path: "/v1/responses",
    auth: "bearer",
    async handle(call, house) {
      requireEndpoint(house, "responses", call);
      return (await import("./responses.ts")).responses(call, house);
    },
  },
  {
    methods: READ,
    path: (path) => path === "/v1/models" || path.startsWith("/v1/models/"),
    auth: "bearer",
    handle: listModels,
  },
];

/** Those for scripts, and for programs made for OpenClaw. */
const SCRIPT_ROUTES: readonly Route[] = [
  {
    methods: ["GET"],
    path: "/api/status",
    auth: "bearer",
    handle: async (call, house) => (await import("./api.ts")).readStatus(call, house),
  },
  {
    methods: ["GET"],
    path: "/api/sessions",
    auth: "bearer",
    handle: async (call) => (await import("./api.ts")).listSessions(call),
  },
  {
    methods: ["POST"],
    path: "/api/send",
    auth: "bearer",
    handle: async (call, house) => (await import("./api.ts")).sendMessage(call, house),
  },
  {
    methods: ["GET"],
    path: "/api/sessions/home",
    auth: "bearer",
    handle: async (call, house) => (await import("./home-session.ts")).readHome(call, house),
  },
  {
    methods: ["POST"],
    path: "/api/sessions/home",
    auth: "bearer",
    handle: async (call, house) => (await import("./home-session.ts")).sayAtHome(call, house),
  },
  {
    methods: ["POST"],
    path: "/tools/invoke",
    auth: "bearer",
    handle: async (call, house) => (await import("./tools-invoke.ts")).invokeTool(call, house),
  },
  {
    methods: READ,
    path: (path) => /^\/sessions\/[^/]+\/history$/.test(path),
    auth: "bearer",
    handle: async (call, house) => (await import("./session-routes.ts")).readHistory(call, house),
  },
  {
    methods: ["POST"],
    path: (path) => /^\/sessions\/[^/]+\/kill$/.test(path),
    auth: "bearer",
    handle: async (call, house) => (await import("./session-routes.ts")).killSession(call, house),
  },
];

/** What the server itself answers; the control page is asked last. */
export const SERVER_ROUTES: readonly Route[] = [...OPENAI_ROUTES, ...SCRIPT_ROUTES, ...PAGE_ROUTES];

/** Every route that is contributed, in order, and pages last. One that an earlier one hides would never answer. */
export function collectRoutes<H>(contributions: ReadonlyArray<Contribution<H>>): ReadonlyArray<HttpRoute<H>> {
  const taken = new Set<string>();
  const all = contributions.flatMap(({ id, routes = [] }) => {
    for (const { methods, path } of routes) {
      if (typeof path !== "string") continue;
      for (const method of methods) {
        const name = `${method} ${path}`;
        if (taken.has(name)) throw new Error(`the route ${name} is contributed twice, the second time by ${id}`);
        taken.add(name);
      }
    }
    return routes;
  });
  const isPage = ({ auth }: HttpRoute<H>): boolean => auth === "page";
  return [...all.filter((route) => !isPage(route)), ...all.filter(isPage)];
}

/** On by default for this machine only; `enabled` in the configuration opens it further, or shuts it. */
function requireEndpoint(house: House, name: "chatCompletions" | "responses", call: HttpCall): void {
  const enabled = house.config.current().gateway?.http?.endpoints?.[name]?.enabled;
  if (enabled ?? call.client.isLocal) return;
  const why = `This endpoint is switched off. Set gateway.http.endpoints.${name}.enabled to true to use it.`;
  throw new HttpError(404, "not_found", why);
}

/** Agents are what a client of this API takes for models. */
async function listModels({ response, url }: HolderCall, house: House): Promise<void> {
  const created = Math.floor(house.startedAt / 1000);
  const ids = ["openclaw", ...house.agents().map(({ id }) => `openclaw:${id}`)];
  const data = ids.map((id) => ({ id, object: "model", created, owned_by: "chela" }));
  const wanted = decodePart(url.pathname.slice("/v1/models/".length));
  if (!wanted) return sendJson(response, 200, { object: "list", data });
  const found = data.find(({ id }) => id === wanted || id === wanted.replace("/", ":"));
  if (!found) throw new HttpError(404, "not_found", `There is no model "${wanted}". GET /v1/models lists them.`);
  sendJson(response, 200, found);
}
