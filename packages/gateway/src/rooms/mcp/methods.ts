// Methods about MCP servers.
import { GatewayError } from "@chela/sdk";
import { actorOf, type MCP_METHODS, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { toolName } from "./offer/tool-names.ts";
import type { ServerStatus } from "./room.ts";
import { NAME_RULE, nameOf, readServer, type ServerSettings } from "./settings.ts";
import { cleanText } from "./trust/definitions.ts";
import type { HeldTool, Standing } from "./trust/pins.ts";

type McpMethods = Pick<Handlers, keyof typeof MCP_METHODS>;

export function mcpMethods(house: Pick<House, "mcp" | "config">): McpMethods {
  const { mcp, config } = house;
  const statusOf = async (name: string): Promise<ServerStatus> => {
    const all = await (await mcp()).servers.list();
    const found = all.find(({ read }) => nameOf(read) === name || (read.kind === "fine" && read.settings.id === name));
    if (!found) throw new GatewayError("MCP_UNKNOWN", name);
    return found;
  };
  return {
    async "mcp.status"({ name }) {
      const { servers, signIns } = await mcp();
      const shown = name === undefined ? await servers.list() : [await statusOf(name)];
      return { servers: shown.map((status) => shownServer(status, (id) => signIns.wants(id))) };
    },

    async "mcp.tools"({ name }) {
      const { standing, read } = await statusOf(name);
      const offered = standing.kind === "approved" ? standing.offered : [];
      return {
        name: nameOf(read),
        approved: standing.kind === "approved",
        tools: offered.map((tool) => ({
          name: tool.name,
          as: toolName(nameOf(read), tool.name),
          description: cleanText(tool.description ?? ""),
        })),
        held: standing.held.map(shownHeld),
      };
    },

    "mcp.probe": async ({ name }) => shownStanding(name, await (await mcp()).servers.probe(name)),

    async "mcp.approve"({ name, tools }, { client }) {
      return shownStanding(name, await (await mcp()).servers.approve(name, actorOf(client), tools));
    },

    async "mcp.revoke"({ name }, { client }) {
      await (await mcp()).servers.revoke(name, actorOf(client));
      return { name };
    },

    "mcp.put"({ name, server }) {
      const written = config.current().mcp?.servers ?? {};
      const isThere = Object.hasOwn(written, name);
      if (!NAME_RULE.test(name))
        throw new GatewayError("MCP_REQUEST", "a name has letters, digits, - and _, 40 at most");
      const would = { ...(isThere ? (written as Record<string, object>)[name] : {}), ...server };
      const read = readServer(name, withoutNull(would), { kind: "config" });
      if (read.kind === "broken") throw new GatewayError("MCP_REQUEST", `${name}: ${read.why}`);
      config.mergePatch(JSON.stringify({ mcp: { servers: { [name]: server } } }), config.describe().hash);
      return { name, added: !isThere };
    },

    "mcp.remove"({ name }) {
      if (!Object.hasOwn(config.current().mcp?.servers ?? {}, name)) throw new GatewayError("MCP_UNKNOWN", name);
      config.mergePatch(JSON.stringify({ mcp: { servers: { [name]: null } } }), config.describe().hash);
      return { name };
    },

    async "mcp.login"({ name }) {
      const { servers, signIns } = await mcp();
      const { url } = await signIns.begin(await servers.settingsOf(name));
      return { name, url };
    },

    async "mcp.login.finish"({ url }) {
      const { servers, signIns } = await mcp();
      const settings = await signIns.finish(new URLSearchParams(URL.parse(url)?.search ?? url.replace(/^[^?]*\?/, "")));
      await servers.letGo(settings.id);
      return { name: settings.name };
    },

    async "mcp.logout"({ name }) {
      const { servers, signIns } = await mcp();
      const settings = await servers.settingsOf(name);
      const wasSignedIn = await signIns.has(settings);
      await signIns.drop(settings);
      await servers.letGo(settings.id);
      return { name, wasSignedIn };
    },

    async "mcp.answer"({ id, content }, { client }) {
      return { id: await (await mcp()).questions.answer(id, content, client.info.displayName ?? client.info.id) };
    },

    async "mcp.reload"() {
      const { servers } = await mcp();
      const all = (await servers.list()).flatMap(({ read }) => (read.kind === "fine" ? [read.settings.id] : []));
      for (const id of all) await servers.letGo(id);
      return { servers: all.length };
    },
  };
}

function withoutNull(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

function shownServer({ read, state, known, standing, isSignedIn }: ServerStatus, wantsSignIn: (id: string) => boolean) {
  const nothing = { tools: 0, held: 0, approved: false, resources: false, prompts: false, auth: "none" as const };
  if (read.kind === "broken") {
    const { name, where, why } = read;
    return { name, id: name, where, enabled: false, ok: false, why, state: "idle" as const, ...nothing };
  }
  const { settings } = read;
  const { seen, approved } = known;
  const isApproved = standing.kind === "approved";
  return {
    name: settings.name,
    id: settings.id,
    where: settings.origin.kind === "config" ? `mcp.servers.${settings.name}` : settings.origin.path,
    enabled: settings.isEnabled,
    ok: state.kind !== "resting",
    ...(state.kind === "resting" ? { why: state.why } : {}),
    ...launchOf(settings),
    state: state.kind,
    ...(state.kind === "running" && state.pid !== undefined ? { pid: state.pid } : {}),
    ...(state.kind === "running" && state.sandbox !== undefined ? { sandbox: state.sandbox } : {}),
    approved: isApproved,
    tools: isApproved ? standing.offered.length : 0,
    held: standing.held.filter(({ kind }) => kind !== "gone").length,
    resources: isApproved && approved?.resources === true,
    prompts: isApproved && approved?.prompts === true,
    ...(seen
      ? {
          server: { name: cleanText(seen.serverInfo.name, 100), version: cleanText(seen.serverInfo.version, 40) },
          protocol: seen.version,
        }
      : {}),
    auth: isSignedIn ? ("signed-in" as const) : wantsSignIn(settings.id) ? ("wanted" as const) : headersOf(settings),
  };
}

function headersOf({ launch }: ServerSettings): "headers" | "none" {
  const hasCredential =
    launch.kind === "remote" && Object.keys(launch.headers).some((name) => /^authorization$/i.test(name));
  return hasCredential ? "headers" : "none";
}

function launchOf({ launch }: ServerSettings) {
  if (launch.kind === "command")
    return { transport: "stdio" as const, launch: [launch.command, ...launch.args].join(" ") };
  return { transport: launch.transport === "sse" ? ("sse" as const) : ("http" as const), launch: launch.url };
}

function shownStanding(name: string, standing: Standing) {
  const offered = standing.kind === "approved" ? standing.offered : [];
  return {
    name,
    approved: standing.kind === "approved",
    tools: offered.map((tool) => tool.name),
    held: standing.held.map(shownHeld),
  };
}

const MOST_SHOWN = 4_000;

/** What is hidden in a text is what a person has to see. */
function shownHeld({ name, kind, diff }: HeldTool) {
  const shown = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
  return {
    name,
    kind,
    diff: diff.map(({ field, before, after }) => ({
      field,
      ...(before === undefined ? {} : { before: shown(before) }),
      ...(after === undefined ? {} : { after: shown(after) }),
    })),
  };
}
