// Puts bubblewrap around a program of our own choosing that runs for long, such as one of a plugin: the walls without the shell.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SandboxMount, SandboxProfile } from "@chela/sdk";
import { buildArguments } from "./build-arguments.ts";
import { findLandlock } from "./landlock.ts";
import { explainFailure, findMeans, type Means } from "./means.ts";
import { makePrivateFolder } from "./private-folders.ts";

export interface ProgramToWrap {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** All it has. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths, seen inside where they are outside. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** `shared` is the network of this machine; a proxy's socket is seen at `PROXY_INSIDE`. */
  readonly network: { readonly kind: "none" | "shared" } | { readonly kind: "proxy"; readonly socketPath: string };
  readonly memoryBytes: number;
  /** Number of the open file that the filter of system calls is read from. */
  readonly filterFile: number;
}

export type Wrapped =
  | { readonly kind: "wrapped"; readonly file: string; readonly args: readonly string[]; readonly filter: Buffer }
  | { readonly kind: "unusable"; readonly why: string };

export interface ProgramWrapper {
  /** Never rejects. */
  wrap(program: ProgramToWrap): Promise<Wrapped>;
  close(): Promise<void>;
}

export const PROXY_INSIDE = "/run/chela-proxy/socket";
/** Seen by everything inside anyway. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const TRIAL_MS = 10_000;
const NO_VARIABLES: Readonly<Record<string, string>> = {};

export function createProgramWrapper(): ProgramWrapper {
  let opening: Promise<Ground | { readonly kind: "unusable"; readonly why: string }> | undefined;
  return {
    async wrap(program) {
      opening ??= openGround();
      const ground = await opening;
      if ("kind" in ground) return ground;
      try {
        return { kind: "wrapped", ...wrapIn(ground, program) };
      } catch (error) {
        return { kind: "unusable", why: error instanceof Error ? error.message : String(error) };
      }
    },
    async close() {
      const ground = await opening;
      if (ground && !("kind" in ground)) ground.remove();
    },
  };
}

interface Ground {
  readonly means: Means;
  /** Stands for the channel that sandboxes have. */
  readonly channel: string;
  remove(): void;
}

async function openGround(): Promise<Ground | { readonly kind: "unusable"; readonly why: string }> {
  const means = await findMeans({
    platform: process.platform,
    processor: process.arch,
    places: undefined,
    folder: undefined,
    mayUseControlGroups: false,
    findLandlock,
  });
  if ("kind" in means) return { kind: "unusable", why: means.why };
  const root = makePrivateFolder(means.folder, "sandbox");
  const channel = join(root, "channel");
  mkdirSync(channel, { mode: 0o755 });
  const ground: Ground = {
    means,
    channel,
    remove() {
      rmSync(root, { recursive: true, force: true });
      means.system.remove();
    },
  };
  const said = await tryOut(ground);
  if (said === undefined) return ground;
  ground.remove();
  return { kind: "unusable", why: explainFailure(said).why };
}

/** Undefined when a program ran inside; else what bubblewrap said. */
async function tryOut(ground: Ground): Promise<string | undefined> {
  const trial = {
    file: "/bin/true",
    args: [],
    env: NO_VARIABLES,
    readable: [],
    writable: [],
    network: { kind: "none" },
    memoryBytes: 64 * 1024 * 1024,
    filterFile: 3,
  } as const;
  const { file, args, filter } = wrapIn(ground, trial);
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe", "pipe"], env: {}, timeout: TRIAL_MS });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said = (said + chunk.toString("utf8")).slice(-1_000)));
  child.stdio[3]?.on("error", () => {});
  (child.stdio[3] as NodeJS.WritableStream).end(filter);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? undefined : said || `it ended with code ${code}`));
  });
}

function wrapIn(
  { means, channel }: Ground,
  program: ProgramToWrap,
): Omit<Extract<Wrapped, { kind: "wrapped" }>, "kind"> {
  const { network } = program;
  const isSystem = (path: string): boolean => SYSTEM.some((place) => path === place || path.startsWith(`${place}/`));
  const seen = (paths: readonly string[], isWritable: boolean): SandboxMount[] =>
    paths.filter((path) => isWritable || !isSystem(path)).map((path) => ({ outside: path, inside: path, isWritable }));
  const profile = {
    mounts: [...seen(program.readable, false), ...seen(program.writable, true)],
    limits: { memoryBytes: program.memoryBytes },
  } as unknown as SandboxProfile;
  const extras: SandboxMount[] = [
    ...(network.kind === "proxy" ? [{ outside: network.socketPath, inside: PROXY_INSIDE, isWritable: false }] : []),
    ...(network.kind === "shared"
      ? [{ outside: "/etc/resolv.conf", inside: "/etc/resolv.conf", isWritable: false }]
      : []),
  ];
  const walls = buildArguments({
    profile,
    program: means.program,
    system: means.system,
    channel,
    extras,
    env: program.env,
    isForTerminal: false,
  });
  const share = network.kind === "shared" ? ["--share-net"] : [];
  const args = [...walls, ...share, "--seccomp", String(program.filterFile), "--", program.file, ...program.args];
  return { file: means.program.path, args, filter: means.filter };
}
