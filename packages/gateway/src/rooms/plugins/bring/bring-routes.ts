// HTTP routes of a plugin: let in by the gateway, or by the plugin itself; never a page with the rights of ours.
import * as z from "zod";
import { once, type HttpCall, type HttpRoute } from "@chela/sdk";
import { HttpError } from "../../../base/http/request.ts";
import type { House } from "../../../house/house.ts";
import type { BroughtPlugin } from "./brought-plugin.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const CHANGING = ["POST", "PUT", "PATCH", "DELETE"];
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_MS = 60_000;
/** A page of a plugin has an origin of its own: it reads nothing that ours keeps, and calls nothing in a person's name. */
const OWN_ORIGIN = "sandbox allow-scripts allow-forms allow-popups";
/** Said by the connection itself, or kept as the gateway says it. */
const KEPT = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "upgrade",
  "trailer",
  "content-security-policy",
  "x-content-type-options",
  "strict-transport-security",
  "access-control-allow-credentials",
  "clear-site-data",
  "service-worker-allowed",
]);

type Route = HttpRoute<House>;
type ToldRoute = BroughtPlugin["catalogue"]["routes"][number];

export function bringRoutes(plugin: BroughtPlugin): Route[] {
  return plugin.catalogue.routes.map((told): Route => {
    const target = {
      // One that takes whatever nobody else took must not stand where the control page does.
      methods: told.match === "any" ? CHANGING : METHODS,
      path: pathOf(told),
    };
    const handle = (call: HttpCall, house: House): Promise<void> => answer(call, house, told.place, plugin);
    return told.auth === "gateway" ? { ...target, auth: "bearer", handle } : { ...target, auth: "own-secret", handle };
  });
}

function pathOf({ path, match }: ToldRoute): Route["path"] {
  if (match === "exact") return path;
  const folder = path.endsWith("/") ? path : `${path}/`;
  return (asked) => asked === path || asked.startsWith(folder);
}

const Part = once(() =>
  z.discriminatedUnion("part", [
    z.object({
      part: z.literal("head"),
      status: z.int().min(200).max(599),
      headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    }),
    z.object({ part: z.literal("body"), data: z.string() }),
  ]),
);

async function answer(
  { request, response, client }: HttpCall,
  house: House,
  route: number,
  plugin: BroughtPlugin,
): Promise<void> {
  const body = await house.bodies.read(request, client, MOST_BYTES);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || isOurs(name) ? [] : [[name, value]],
    ),
  );
  const asks = {
    route,
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers,
    remoteAddress: client.ip,
    body: body.toString("base64"),
  };
  const progress = (data: unknown): void => write(data, response);
  const gave = await plugin
    .call("route", asks, { signal: gone.signal, mostMs: MOST_MS, progress })
    .catch((error: unknown) => {
      plugin.log.warn("a plugin did not answer a request", { path: request.url, error: String(error) });
      if (!response.headersSent)
        throw new HttpError(502, "bad_gateway", "The plugin that owns this path did not answer.");
      response.destroy();
    });
  const isTaken = (gave as { readonly isTaken?: unknown } | undefined)?.isTaken !== false;
  if (!isTaken && !response.headersSent) throw new HttpError(404, "not_found", "Not Found");
  if (!response.writableEnded) response.end();
}

/** The gateway's own secret is nothing a plugin gets to see. */
function isOurs(name: string): boolean {
  return name === "x-openclaw-token";
}

function write(data: unknown, response: HttpCall["response"]): void {
  const part = Part().safeParse(data);
  if (!part.success || response.writableEnded) return;
  if (part.data.part === "body") return void response.write(Buffer.from(part.data.data, "base64"));
  if (response.headersSent) return;
  for (const [name, value] of Object.entries(part.data.headers)) {
    if (KEPT.has(name.toLowerCase()) || !/^[\w-]+$/.test(name) || /[\r\n\0]/.test(String(value))) continue;
    response.setHeader(name, value);
  }
  response.setHeader("content-security-policy", OWN_ORIGIN);
  response.writeHead(part.data.status);
}
