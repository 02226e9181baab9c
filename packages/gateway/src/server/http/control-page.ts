// Serves the control page's files, with headers that keep foreign code out of it.
import { createReadStream, statSync } from "node:fs";
import { extname, join, normalize, sep } from "node:path";
import { defaultAgent, type AgentsView } from "../../routing/room.ts";
import { sendJson, sendText } from "./request.ts";
import type { HttpCall } from "./router.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
  ".map": "application/json; charset=utf-8",
};

const PAGE_HEADERS = {
  "x-frame-options": "DENY",
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'",
  "cache-control": "no-cache",
};

export interface PageParts {
  /** Directory of the built page. */
  readonly root: string;
  readonly version: string;
  config(): AgentsView & {
    readonly gateway?:
      | {
          readonly controlUi?:
            | { readonly enabled?: boolean | undefined; readonly basePath?: string | undefined }
            | undefined;
        }
      | undefined;
    readonly ui?:
      | {
          readonly assistant?: { readonly name?: string | undefined; readonly avatar?: string | undefined } | undefined;
        }
      | undefined;
  };
}

export function serveControlPage({ request, response, url }: HttpCall, parts: PageParts): void {
  const config = parts.config();
  if (config.gateway?.controlUi?.enabled === false) return sendText(response, 404, "Not Found");
  const base = (config.gateway?.controlUi?.basePath ?? "").replace(/\/+$/, "");
  if (base && url.pathname === base) return sendText(response, 302, "", { location: `${base}/` });
  if (base && !url.pathname.startsWith(`${base}/`)) return sendText(response, 404, "Not Found");
  const path = url.pathname.slice(base.length) || "/";
  if (path === "/__openclaw/control-ui-config.json")
    return sendJson(response, 200, pageConfig(config, base, parts.version));
  sendFile(parts.root, path, request.method === "HEAD", response);
}

function pageConfig(config: ReturnType<PageParts["config"]>, basePath: string, serverVersion: string) {
  const agent = defaultAgent(config);
  const assistantName = config.ui?.assistant?.name ?? agent.identity?.name ?? agent.name ?? "Assistant";
  const assistantAvatar = config.ui?.assistant?.avatar ?? agent.identity?.avatar ?? agent.identity?.emoji ?? "A";
  return { basePath, assistantName, assistantAvatar, assistantAgentId: agent.id, serverVersion };
}

function sendFile(root: string, path: string, headOnly: boolean, response: HttpCall["response"]): void {
  const wanted = fileWithin(root, path) ?? (extname(path) in TYPES ? undefined : join(root, "index.html"));
  const stats = wanted === undefined ? undefined : statSync(wanted, { throwIfNoEntry: false });
  if (wanted === undefined || !stats?.isFile()) return sendText(response, 404, "Not Found");
  const type = TYPES[extname(wanted)] ?? "application/octet-stream";
  response.writeHead(200, { ...PAGE_HEADERS, "content-type": type, "content-length": stats.size });
  if (headOnly) return void response.end();
  createReadStream(wanted)
    .on("error", () => response.destroy())
    .pipe(response);
}

/** The file behind a path, if it lies inside the root and exists. */
function fileWithin(root: string, path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const full = normalize(join(root, decoded.endsWith("/") ? `${decoded}index.html` : decoded));
  if (!full.startsWith(root + sep) || decoded.includes("\0")) return undefined;
  return statSync(full, { throwIfNoEntry: false })?.isFile() ? full : undefined;
}
