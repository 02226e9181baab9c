// Serves the control page: its files, what it must know before it connects, and the addresses older pages had.
import { readFileSync } from "node:fs";
import { pageSettings } from "../../rooms/config/room.ts";
import { defaultAgent } from "../../rooms/routing/room.ts";
import type { House } from "../../house/house.ts";
import { foreignPolicy, PAGE_HEADERS, viewerHeaders } from "./page-headers.ts";
import { sendJson, sendText } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";
import { findFile, sendFile } from "./static-file.ts";

type PageHouse = Pick<House, "config" | "paths" | "version" | "door">;

/** Places of the page that have been addresses of their own; now they stand in the fragment. */
const TABS = /^\/(chat|overview|channels|instances|sessions|usage|cron|agents|skills|nodes|config|debug|logs)(?=\/|$)/;
const MAX_SESSION_KEY = 512;

export async function serveControlPage(call: HttpCall, house: PageHouse): Promise<void> {
  const { response, url } = call;
  const built = house.door.pageRoot;
  const { enabled, basePath, root = built } = pageSettings(house.config.current(), house.paths);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  if (!enabled) return sendText(response, 404, "Not Found");
  if (basePath && url.pathname === basePath) return redirect(call, `${basePath}/`);
  if (!url.pathname.startsWith(`${basePath}/`)) return sendText(response, 404, "Not Found");
  const path = url.pathname.slice(basePath.length);
  if (path === "/__openclaw/control-ui-config.json") return sendJson(response, 200, pageConfig(house, basePath));
  if (root !== built && isForeign(root)) return sendForeign(call, root, path);
  if (path === "/" || path === "/index.html") return sendPage(call, root, basePath);
  if (path === "/viewer" || path === "/viewer.html") return sendViewer(call, root);
  const file = findFile(root, path);
  if (file) {
    const headers = path === "/sw.js" ? { "service-worker-allowed": `${basePath}/` } : {};
    return sendFile(call, { file, headers, isImmutable: path.startsWith("/assets/") });
  }
  if (TABS.test(path)) return redirect(call, placeOf(call, basePath) ?? `${basePath}/#${path}`);
  sendText(response, 404, "Not Found");
}

/** Every page of ours has a viewer. */
function isForeign(root: string): boolean {
  return findFile(root, "/index.html") !== undefined && findFile(root, "/viewer.html") === undefined;
}

/** Its places are addresses, which only it knows; what has an ending is a file. */
async function sendForeign(call: HttpCall, root: string, path: string): Promise<void> {
  const file = path === "/" ? undefined : findFile(root, path);
  if (file && path !== "/index.html") return sendFile(call, { file, isImmutable: path.startsWith("/assets/") });
  const index = findFile(root, "/index.html");
  if (!index || (!file && /\.[a-z0-9]{1,12}$/i.test(path))) return sendText(call.response, 404, "Not Found");
  const headers = { "content-security-policy": foreignPolicy(readFileSync(index, "utf8")) };
  return sendFile(call, { file: index, headers });
}

/**
 * What stands behind the question mark never reaches the page: a link must not tell it whom to trust or where to
 * connect to. Only which conversation to show is taken over.
 */
async function sendPage(call: HttpCall, root: string, basePath: string): Promise<void> {
  if (call.url.search !== "") return redirect(call, placeOf(call, basePath) ?? `${basePath}/`);
  const file = findFile(root, "/index.html");
  if (file) return sendFile(call, { file });
  sendText(
    call.response,
    404,
    "The control page is not here: gateway.controlUi.root, or the installation, has no index.html.",
  );
}

async function sendViewer(call: HttpCall, root: string): Promise<void> {
  const file = findFile(root, "/viewer.html");
  if (file) return sendFile(call, { file, headers: viewerHeaders(readFileSync(file, "utf8")) });
  sendText(call.response, 404, "Not Found");
}

/** The conversation a link with `?session=` means. */
function placeOf({ url }: HttpCall, basePath: string): string | undefined {
  const key = url.searchParams.get("session");
  return key && key.length <= MAX_SESSION_KEY ? `${basePath}/#/chat/${encodeURIComponent(key)}` : undefined;
}

function redirect({ response }: HttpCall, location: string): void {
  sendText(response, 302, "", { location });
}

function pageConfig({ config, version: serverVersion }: PageHouse, basePath: string) {
  const current = config.current();
  const agent = defaultAgent(current);
  const { name, avatar } = current.ui?.assistant ?? {};
  const assistantName = name ?? agent.identity?.name ?? agent.name ?? "Assistant";
  const assistantAvatar = avatar ?? agent.identity?.avatar ?? agent.identity?.emoji ?? "A";
  return { basePath, assistantName, assistantAvatar, assistantAgentId: agent.id, serverVersion };
}
