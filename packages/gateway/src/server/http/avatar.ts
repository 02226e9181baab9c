// Serves the picture of an agent from its workspace. Only real images are handed out, whatever the file is called.
import { AGENT_ID } from "@chela/sdk";
import { pageSettings } from "../../rooms/config/room.ts";
import { allAgents } from "../../house/agents/all-agents.ts";
import { openAvatar, readAvatar } from "../../house/agents/avatar.ts";
import { identityOf } from "../../house/agents/identity.ts";
import type { House } from "../../house/house.ts";
import { sendJson, sendText } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";
import { streamFile } from "./static-file.ts";

export async function serveAvatar({ request, response, url }: HttpCall, gateway: House): Promise<void> {
  const config = gateway.config.current();
  const { enabled, basePath: base } = pageSettings(config, gateway.paths);
  const [, id = ""] =
    /^\/avatar\/([^/]+)$/.exec(url.pathname.startsWith(base) ? url.pathname.slice(base.length) : "") ?? [];
  const agent = AGENT_ID.test(id) ? allAgents(config, gateway.paths).find((one) => one.id === id) : undefined;
  if (!enabled || !agent) return sendText(response, 404, "Not Found");
  const identity = await identityOf(agent, base);
  if (url.searchParams.get("meta") === "1") return sendJson(response, 200, { avatarUrl: identity.avatarUrl ?? null });
  const avatar = identity.avatar ? readAvatar(identity.avatar) : undefined;
  const image = avatar?.kind === "file" ? openAvatar(agent.workspace, avatar.path) : undefined;
  if (!image) return sendText(response, 404, "Not Found");
  const headers = {
    "content-type": image.type,
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  return streamFile({ request, response }, image, headers);
}
