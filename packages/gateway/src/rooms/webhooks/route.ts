// HTTP route of webhooks: the paths under which other programs tell an agent something.
import type { HttpCall, HttpRoute } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { flatHeaders, HttpError, sendJson } from "../../base/http/request.ts";
import type { ChelaConfig } from "../config/room.ts";

type Hooks = ChelaConfig["hooks"];

export const WEBHOOK_ROUTE: HttpRoute<House> = {
  methods: ["POST"],
  path: (path, { config }) => placeOf(config.current().hooks, path) !== undefined,
  auth: "own-secret",
  handle: answer,
};

/** Without a slash at its end. */
export function hookPath(hooks: Hooks): string {
  const parts = (hooks?.path ?? "").split("/").filter(Boolean);
  return `/${parts.length > 0 ? parts.join("/") : "hooks"}`;
}

async function answer(call: HttpCall, house: House): Promise<void> {
  const { request, response, url, client, foreignPage } = call;
  const webhooks = await house.webhooks();
  try {
    const { status, body, type, headers } = await webhooks.receive(
      {
        path: placeOf(house.config.current().hooks, url.pathname) ?? "",
        url,
        from: client.ip,
        headers: flatHeaders(request),
        body: (maxBytes) => house.bodies.read(request, client, maxBytes),
      },
      { client, foreignPage },
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
