// The path under which other programs tell an agent something. Only the path is known here; the rest is loaded with the first request.
import type { ChelaConfig } from "../../rooms/config/room.ts";
import { foreignPageOf } from "../auth/index.ts";
import type { House } from "../../house/house.ts";
import { flatHeaders, HttpError, sendJson } from "./request.ts";
import type { HttpCall, Route } from "./router.ts";

type Hooks = ChelaConfig["hooks"];

/** Without a slash at its end. */
export function hookPath(hooks: Hooks): string {
  const parts = (hooks?.path ?? "").split("/").filter(Boolean);
  return `/${parts.length > 0 ? parts.join("/") : "hooks"}`;
}

export function webhookRoute(gateway: House): Route {
  return {
    methods: ["POST"],
    path: (path) => placeOf(gateway.config.current().hooks, path) !== undefined,
    auth: "own-secret",
    handle: (call) => answer(call, gateway),
  };
}

async function answer(call: HttpCall, gateway: House): Promise<void> {
  const { request, response, url, client } = call;
  const side = await gateway.webhooks();
  try {
    const { status, body, type, headers } = await side.receive(
      {
        path: placeOf(gateway.config.current().hooks, url.pathname) ?? "",
        url,
        from: client.ip,
        headers: flatHeaders(request),
        body: (maxBytes) => gateway.bodies.read(request, client, maxBytes),
      },
      { client, foreignPage: foreignPageOf(request.headers) },
    );
    response.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-type": type }) }).end(body);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    sendJson(response, error.status, { ok: false, error: error.message }, error.headers);
  }
}

/** What stands behind the path; undefined when webhooks are off, or nobody could open any of them. */
function placeOf(hooks: Hooks, path: string): string | undefined {
  if (hooks?.enabled !== true || !canBeOpened(hooks)) return undefined;
  const base = hookPath(hooks);
  if (path !== base && !path.startsWith(`${base}/`)) return undefined;
  return path.slice(base.length).split("/").filter(Boolean).join("/");
}

function canBeOpened({ token, mappings }: NonNullable<Hooks>): boolean {
  return Boolean(token?.trim()) || (mappings ?? []).some(({ signature }) => signature?.secret?.trim());
}
