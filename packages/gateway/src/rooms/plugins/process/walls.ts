// The walls around the process of a plugin: what Node itself keeps it from, what bubblewrap does, and which of them stand here.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProgramWrapper } from "../../sandbox/room.ts";
import type { FoundPlugin } from "../discover/found.ts";
import type { Grant } from "../grants/grant.ts";
import type { HostProgram } from "./host-program.ts";

export interface WallParts {
  readonly plugin: Pick<FoundPlugin, "root" | "file">;
  readonly grant: Grant;
  readonly host: HostProgram;
  readonly dataDir: string;
  readonly heapMb: number;
  /** Variables with what they are; only granted ones are taken. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that its own entry of the configuration sets. */
  readonly entryEnv: Readonly<Record<string, string>>;
  readonly wrapper: ProgramWrapper | undefined;
  /** Opens the way out to the granted hosts: the path of a socket. */
  openProxy(hosts: readonly string[]): Promise<{ readonly socketPath: string; close(): Promise<void> | void }>;
}

export interface Walls {
  /** Whether it is kept from files, programs, threads and native parts by Node. */
  readonly permission: boolean;
  readonly bubblewrap: { readonly stands: true } | { readonly stands: false; readonly why: string };
  readonly network: "none" | "granted hosts" | "this machine's" | "not kept";
  readonly heapMb: number;
}

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** To be written into the fifth file of the process. */
  readonly filter?: Buffer;
  readonly forward?: { readonly port: number; readonly socket: string };
  readonly walls: Walls;
  /** When the process is gone. */
  close(): Promise<void>;
}

const PORT = 3128;
const PROXY_INSIDE = "/run/chela-proxy/socket";
const FILTER_FILE = 4;
const MEGABYTE = 1024 * 1024;

export async function planLaunch(parts: WallParts): Promise<Launch> {
  const { grant, wrapper, host, dataDir, heapMb } = parts;
  mkdirSync(join(dataDir, "tmp"), { recursive: true, mode: 0o700 });
  const isOpen = grant.hosts.includes("*");
  const args = nodeArguments(parts);
  const proxy = wrapper && grant.hosts.length > 0 && !isOpen ? await parts.openProxy(grant.hosts) : undefined;
  const env = environmentOf(parts, proxy !== undefined);
  const network = proxy
    ? ({ kind: "proxy", socketPath: proxy.socketPath } as const)
    : ({ kind: isOpen ? "shared" : "none" } as const);
  const wrapped = await wrapper?.wrap({
    file: process.execPath,
    args,
    env,
    readable: [process.execPath, ...host.readable, ownPath(parts), ...grant.read].filter(isOutside(grant.write)),
    writable: [dataDir, ...grant.write],
    network,
    memoryBytes: 2 * heapMb * MEGABYTE,
    filterFile: FILTER_FILE,
  });
  if (wrapped?.kind === "wrapped") {
    return {
      file: wrapped.file,
      args: wrapped.args,
      env: {},
      filter: wrapped.filter,
      ...(proxy ? { forward: { port: PORT, socket: PROXY_INSIDE } } : {}),
      walls: {
        permission: true,
        bubblewrap: { stands: true },
        network: proxy ? "granted hosts" : isOpen ? "this machine's" : "none",
        heapMb,
      },
      close: async () => proxy?.close(),
    };
  }
  await proxy?.close();
  const why = wrapped?.why ?? "It is switched off (plugins.walls).";
  return {
    file: process.execPath,
    args,
    env: environmentOf(parts, false),
    walls: { permission: true, bubblewrap: { stands: false, why }, network: "not kept", heapMb },
    close: async () => {},
  };
}

/** What lies in a folder that may be written is seen with it. */
function isOutside(writable: readonly string[]): (path: string) => boolean {
  return (path) => !writable.includes(path);
}

function ownPath({ plugin: { root, file } }: WallParts): string {
  return file ?? root;
}

function nodeArguments(parts: WallParts): string[] {
  const { grant, host, dataDir, heapMb, plugin } = parts;
  const below = (path: string): string[] => [path, `${path}/*`];
  const own = plugin.file === undefined ? below(plugin.root) : [plugin.file];
  const readable = [...host.readable.flatMap(below), ...own, ...grant.read.flatMap(below)];
  const writable = [dataDir, ...grant.write].flatMap(below);
  return [
    "--permission",
    ...[...readable, ...writable].map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
    ...(grant.exec ? ["--allow-child-process", "--allow-worker"] : []),
    ...(grant.native ? ["--allow-addons"] : []),
    // It would open any file of the disk, whatever the permissions say.
    "--no-experimental-sqlite",
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning",
    `--max-old-space-size=${heapMb}`,
    "--max-semi-space-size=1",
    ...host.nodeArguments,
    host.file,
  ];
}

function environmentOf(parts: WallParts, isProxied: boolean): Record<string, string> {
  const { grant, env, entryEnv, dataDir } = parts;
  const passed = [...grant.env, "LANG", "TZ"].flatMap((name): Array<[string, string]> => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...Object.fromEntries(passed),
    ...entryEnv,
    HOME: dataDir,
    TMPDIR: join(dataDir, "tmp"),
    OPENCLAW_STATE_DIR: dataDir,
    ...(isProxied ? proxyEnvironment() : {}),
  };
}

/** Programs spell them differently. */
function proxyEnvironment(): Record<string, string> {
  const url = `http://127.0.0.1:${PORT}`;
  const names = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  const direct = "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: "1",
  };
}

/** One sentence for each wall: whether it stands, and what that means. */
export function explainWalls({ permission, bubblewrap, network, heapMb }: Walls): readonly string[] {
  const net = {
    none: "It reaches no network.",
    "granted hosts": "It reaches the granted hosts and nothing else.",
    "this machine's": "It has the network of this machine, because every host (*) was granted.",
    "not kept": "Nothing keeps it from the network: Node 24 cannot, and bubblewrap does not stand.",
  }[network];
  return [
    permission
      ? "Node keeps it from files, programs, threads and native parts that were not granted."
      : "It runs in the gateway's own process, without walls, because plugins.trusted names it.",
    bubblewrap.stands
      ? "Bubblewrap stands: it sees its own files, its own processes, and an environment of its own."
      : `Bubblewrap does not stand: ${bubblewrap.why} It can see and signal other processes of the gateway's user.`,
    net,
    ...(permission ? [`Its heap ends at ${heapMb} MB, and it has no SQLite.`] : []),
  ];
}
