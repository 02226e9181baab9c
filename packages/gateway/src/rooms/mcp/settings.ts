// Settings of the servers: what the configuration names, what `.mcp.json` of a workspace adds, and what each of them means.
import { hash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { once } from "@chela/sdk";
import { isObject, parseJson } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import { readRegular } from "../../base/files/read-regular.ts";

/** As it is written, in the configuration or in a workspace. */
export const WrittenServer = once(() =>
  z.looseObject({
    enabled: z.boolean().optional(),
    type: z.string().optional(),
    transport: z.string().optional(),
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    cwd: z.string().optional(),
    workingDirectory: z.string().optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    auth: z.string().optional(),
    oauth: z
      .looseObject({
        scope: z.string().optional(),
        redirectUrl: z.string().optional(),
        clientId: z.string().optional(),
        clientSecret: z.string().optional(),
        clientMetadataUrl: z.string().optional(),
      })
      .optional(),
    connectionTimeoutMs: z.number().optional(),
    requestTimeoutMs: z.number().optional(),
    supportsParallelToolCalls: z.boolean().optional(),
    toolFilter: z
      .looseObject({ include: z.array(z.string()).optional(), exclude: z.array(z.string()).optional() })
      .optional(),
    agents: z.array(z.string()).optional(),
    ask: z.enum(["never", "always"]).optional(),
    roots: z.array(z.string()).optional(),
    sandbox: z
      .looseObject({
        mode: z.enum(["auto", "require", "off"]).optional(),
        hosts: z.array(z.string()).optional(),
        read: z.array(z.string()).optional(),
        write: z.array(z.string()).optional(),
      })
      .optional(),
  }),
);
export type WrittenServer = z.output<ReturnType<typeof WrittenServer>>;

export type Launch =
  | {
      readonly kind: "command";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | {
      readonly kind: "remote";
      readonly url: string;
      readonly transport: "http" | "sse" | "http-or-sse";
      readonly headers: Readonly<Record<string, string>>;
    };

export interface ServerSettings {
  /** Names it among all there are. */
  readonly id: string;
  readonly name: string;
  /** Where it is written: the configuration, or a file in the workspace of an agent. */
  readonly origin:
    | { readonly kind: "config" }
    | { readonly kind: "workspace"; readonly path: string; readonly agentId: string };
  readonly isEnabled: boolean;
  readonly launch: Launch;
  /** What it is trusted as: another command or address is another server. */
  readonly identity: string;
  readonly connectMs: number;
  readonly requestMs: number;
  readonly isParallel: boolean;
  readonly filter: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** Absent: every agent. */
  readonly agents: readonly string[] | undefined;
  readonly ask: "never" | "always";
  readonly roots: readonly string[];
  readonly sandbox: {
    readonly mode: "auto" | "require" | "off";
    readonly hosts: readonly string[];
    readonly read: readonly string[];
    readonly write: readonly string[];
  };
  readonly oauth: NonNullable<WrittenServer["oauth"]>;
}

export type ReadServer =
  | { readonly kind: "fine"; readonly settings: ServerSettings }
  | { readonly kind: "broken"; readonly name: string; readonly where: string; readonly why: string };

export const NAME_RULE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
const CONNECT_MS = 30_000;
const REQUEST_MS = 60_000;

export function readServer(name: string, written: unknown, origin: ServerSettings["origin"]): ReadServer {
  const where = origin.kind === "config" ? `mcp.servers.${name}` : `${origin.path}, ${name}`;
  const broken = (why: string): ReadServer => ({ kind: "broken", name, where, why });
  if (!NAME_RULE.test(name)) return broken("its name may have letters, digits, - and _, 40 at most");
  const read = WrittenServer().safeParse(written);
  if (!read.success) return broken(`${read.error.issues[0]?.path.join(".") || "it"} is not what it may be`);
  const launch = launchOf(read.data);
  if (typeof launch === "string") return broken(launch);
  const server = read.data;
  const { sandbox = {}, toolFilter = {}, oauth = {} } = server;
  const settings: ServerSettings = {
    id: origin.kind === "config" ? name : `${name}@${origin.agentId}`,
    name,
    origin,
    isEnabled: server.enabled ?? true,
    launch,
    identity: identityOf(launch, origin),
    connectMs: server.connectionTimeoutMs ?? CONNECT_MS,
    requestMs: server.requestTimeoutMs ?? REQUEST_MS,
    isParallel: server.supportsParallelToolCalls ?? false,
    filter: { include: toolFilter.include ?? [], exclude: toolFilter.exclude ?? [] },
    agents: origin.kind === "config" ? server.agents : [origin.agentId],
    ask: server.ask ?? "never",
    roots: server.roots ?? [],
    sandbox: {
      // What somebody put into a workspace may not say how far it reaches.
      mode: origin.kind === "config" ? (sandbox.mode ?? "auto") : "auto",
      hosts: origin.kind === "config" ? (sandbox.hosts ?? []) : [],
      read: origin.kind === "config" ? (sandbox.read ?? []) : [],
      write: origin.kind === "config" ? (sandbox.write ?? []) : [],
    },
    oauth,
  };
  return { kind: "fine", settings };
}

/** A sentence where it cannot be launched. */
function launchOf(server: WrittenServer): Launch | string {
  const wanted = (server.transport ?? server.type)?.toLowerCase();
  if (server.command !== undefined && server.url !== undefined)
    return "it has a command and a url; it can have one of them";
  if (server.command !== undefined) {
    if (server.command.trim() === "") return "its command is empty";
    const env = Object.fromEntries(Object.entries(server.env ?? {}).map(([key, value]) => [key, String(value)]));
    const cwd = server.cwd ?? server.workingDirectory;
    return { kind: "command", command: server.command, args: server.args ?? [], env, cwd };
  }
  if (server.url === undefined) return "it has neither a command nor a url";
  if (!URL.canParse(server.url) || !/^https?:$/.test(new URL(server.url).protocol))
    return "its url is no address of HTTP";
  const transport = wanted === "sse" ? "sse" : wanted === undefined ? "http-or-sse" : "http";
  return { kind: "remote", url: server.url, transport, headers: server.headers ?? {} };
}

/** Without values of the environment and of headers: a new key is no new server. */
function identityOf(launch: Launch, origin: ServerSettings["origin"]): string {
  const facts =
    launch.kind === "command"
      ? [launch.command, launch.args, Object.keys(launch.env).toSorted(), launch.cwd ?? null]
      : [launch.url, launch.transport, Object.keys(launch.headers).toSorted()];
  const place = origin.kind === "workspace" ? [origin.path] : [];
  return hash("sha256", JSON.stringify([launch.kind, facts, ...place]));
}

/** All that are written somewhere; what the configuration names comes before a workspace's of the same name. */
export function readServers(
  configured: Readonly<Record<string, unknown>>,
  workspaces: ReadonlyArray<{ readonly agentId: string; readonly workspace: string }>,
): ReadServer[] {
  const fromConfig = Object.entries(configured).map(([name, written]) => readServer(name, written, { kind: "config" }));
  const names = new Set(Object.keys(configured));
  const fromFiles = workspaces.flatMap(({ agentId, workspace }) =>
    readWorkspace(join(workspace, WORKSPACE_FILE), agentId).filter((one) => !names.has(nameOf(one))),
  );
  return [...fromConfig, ...fromFiles];
}

export const nameOf = (read: ReadServer): string => (read.kind === "fine" ? read.settings.name : read.name);

export const WORKSPACE_FILE = ".mcp.json";
const MOST_BYTES = 256 * 1024;
const MOST_SERVERS = 50;

function readWorkspace(path: string, agentId: string): ReadServer[] {
  const origin = { kind: "workspace" as const, path, agentId };
  const broken = (why: string): ReadServer[] => [{ kind: "broken", name: WORKSPACE_FILE, where: path, why }];
  try {
    const file = readRegular(path, MOST_BYTES);
    if (file.kind !== "read") return broken("it is no file of a usual size");
    const content = parseJson(file.bytes.toString("utf8"));
    const servers = isObject(content) ? content["mcpServers"] : undefined;
    if (!isObject(servers)) return broken('it has no "mcpServers"');
    return Object.entries(servers)
      .slice(0, MOST_SERVERS)
      .map(([name, written]) => readServer(name, written, origin));
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? [] : broken("it cannot be read");
  }
}
