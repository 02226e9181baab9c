// Starts a local server: finds its program, gives it an environment of its own, and keeps it in a sandbox where that can be had.
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { GatewayError, type Clock, type SandboxPlace, type SandboxProfile } from "@chela/sdk";
import { safeSearchPath } from "@chela/sdk/files";
import type { Launch, ServerSettings } from "../settings.ts";
import { startOnHost, type ProcessOrders, type ServerProcess } from "./host-process.ts";
import { makeFolder, profileOf, startInSandbox } from "./sandboxed-process.ts";

export interface LaunchParts {
  readonly clock: Clock;
  /** The gateway's own, of which a server gets only what finds programs and folders. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  readonly home: string;
  /** Of the agents. */
  workspaces(): readonly string[];
  openSandbox(
    profile: SandboxProfile,
  ): Promise<{ readonly kind: "kept"; readonly place: SandboxPlace } | { readonly kind: "none"; readonly why: string }>;
}

export interface Started {
  readonly process: ServerProcess;
  /** Absent: it runs on the machine itself. */
  readonly sandbox?: string;
}

type LocalLaunch = Extract<Launch, { kind: "command" }>;

const PASSED = [
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "SystemRoot",
  "TEMP",
  "TMP",
  "APPDATA",
  "LOCALAPPDATA",
];
const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
/** Variables that have a program load code of somebody's choice. */
const DANGEROUS =
  /^(?:NODE_OPTIONS|PYTHONSTARTUP|PYTHONHOME|PERL5OPT|RUBYOPT|BASHOPTS|BASH_ENV|ENV|SHELLOPTS|LD_.*|DYLD_.*|BASH_FUNC_.*)$/i;

export async function launchServer(
  settings: ServerSettings,
  launch: LocalLaunch,
  parts: LaunchParts,
): Promise<Started> {
  const folder = join(parts.stateDir, "mcp", settings.id.replace(/[^A-Za-z0-9_-]/g, "_"));
  makeFolder(folder);
  const orders = ordersFor(settings, launch, folder, parts);
  if (settings.sandbox.mode === "off") return { process: startOnHost(orders, parts.clock) };
  const around = {
    scope: `mcp:${settings.id}`,
    folder,
    home: parts.home,
    closed: [parts.stateDir],
    open: [...parts.workspaces(), folder],
  };
  const opened = await parts.openSandbox(profileOf(orders, settings.sandbox, around));
  if (opened.kind === "kept") {
    const process = await startInSandbox(opened.place, orders, around);
    return { process, sandbox: opened.place.backend };
  }
  if (settings.sandbox.mode === "require" || settings.origin.kind === "workspace")
    throw new GatewayError("MCP_UNAVAILABLE", `${settings.name} may only run in a sandbox, and ${opened.why}`);
  return { process: startOnHost(orders, parts.clock) };
}

function ordersFor(
  { name, origin }: ServerSettings,
  { command, args, env, cwd }: LocalLaunch,
  folder: string,
  { env: own, workspaces }: LaunchParts,
): ProcessOrders {
  const refused = Object.keys(env).find((key) => DANGEROUS.test(key));
  if (refused !== undefined)
    throw new GatewayError("MCP_REQUEST", `${name} sets ${refused}, which has programs load code: take it out`);
  const base = origin.kind === "workspace" ? resolve(origin.path, "..") : folder;
  const path = safeSearchPath(own["PATH"] ?? "", workspaces()) || USUAL_PATH;
  const inherited = PASSED.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]] as const]));
  const directory = cwd === undefined ? base : resolve(base, cwd);
  return {
    command: findProgram(command, directory, path, name),
    args,
    cwd: directory,
    env: { ...Object.fromEntries(inherited), PATH: path, ...env },
  };
}

function findProgram(command: string, cwd: string, path: string, name: string): string {
  const places = /[/\\]/.test(command)
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : path.split(delimiter).map((folder) => join(folder, command));
  const found = places.find(isProgram);
  if (found === undefined) throw new GatewayError("MCP_UNAVAILABLE", `the program of ${name} is not there: ${command}`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
