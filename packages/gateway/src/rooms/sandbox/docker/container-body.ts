// Turns a profile into what an engine is asked to create, and refuses what no configuration may ask for.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { GatewayError, type SandboxNetwork, type SandboxProfile } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { seccompProfile as ownSeccomp } from "./seccomp-profile.ts";

export interface ContainerBody {
  readonly name: string;
  /** Stands for everything that matters about the container: when it differs, the container is outdated. */
  readonly hash: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a container is recognised by. */
export const LABELS = {
  ours: "chela.sandbox",
  /** Which gateway it belongs to; several may share an engine. */
  home: "chela.home",
  scope: "chela.scope",
  hash: "chela.config-hash",
  created: "chela.created-at-ms",
  /** What can be reached from inside. */
  reach: "chela.reach",
} as const;

const MAX_SECCOMP_BYTES = 1024 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
/** They would put a container into somebody else's network. */
const FOREIGN_NETWORK = /^(?:container|ns|service|pod)$/i;
/** The machine's own. It is asked for by this word and by no other: the security audit looks for it. */
export const MACHINE_NETWORK = "host";

/** One gateway's containers, by where it keeps its state. */
export function homeOf(stateDir: string): string {
  return digest(stateDir).slice(0, 12);
}

export function describeContainer(profile: SandboxProfile, home: string): ContainerBody {
  const body = bodyOf(profile);
  // The scope is in the name already, and labels say nothing about how it is kept.
  const hash = digest(JSON.stringify([body, profile.container.setupCommand ?? null]));
  return { name: nameOfContainer(profile, home), hash, body };
}

/** The profile's prefix, what a person recognises, and enough of a digest that no two scopes meet. */
function nameOfContainer({ scope, container }: SandboxProfile, home: string): string {
  const slug = scope
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const name = `${container.namePrefix}${slug.slice(0, 40)}-${digest(`${home} ${scope}`).slice(0, 8)}`;
  if (NAME.test(name)) return name;
  throw refuse(`"${container.namePrefix}" cannot begin a container's name; use letters, digits, "-", "_" and "."`);
}

function bodyOf(profile: SandboxProfile): ContainerBody["body"] {
  const { container, limits } = profile;
  return {
    Image: container.image,
    // Stands there and does nothing; commands are run beside it. `tail` waits everywhere, `sleep infinity` does not.
    Entrypoint: ["tail", "-f", "/dev/null"],
    Cmd: [],
    Env: listEnv(profile.env),
    WorkingDir: profile.workdir,
    // The machine's own network comes with the machine's own name.
    ...(isOnMachineNetwork(profile.network) ? {} : { Hostname: "sandbox" }),
    ...(container.user === undefined ? {} : { User: container.user }),
    HostConfig: {
      NetworkMode: networkMode(profile.network),
      ReadonlyRootfs: container.isRootReadOnly,
      Tmpfs: tmpfsOf(profile),
      CapDrop: [...container.capDrop],
      SecurityOpt: securityOptions(profile),
      Memory: limits.memoryBytes,
      MemorySwap: container.memorySwapBytes ?? limits.memoryBytes,
      PidsLimit: limits.processes,
      ...(limits.cpus === undefined ? {} : { NanoCpus: Math.round(limits.cpus * 1e9) }),
      Ulimits: ulimitsOf(profile),
      Dns: [...container.dns],
      ExtraHosts: [...container.extraHosts],
      Mounts: profile.mounts.map(({ outside, inside, isWritable }) => ({
        Type: "bind",
        Source: outside,
        Target: inside,
        ReadOnly: !isWritable,
        // Other file systems below a folder would stay writable in a read-only one.
        BindOptions: { Propagation: "rprivate", NonRecursive: !isWritable },
      })),
      Init: true,
      IpcMode: "private",
      Privileged: false,
      PublishAllPorts: false,
      LogConfig: { Type: "none", Config: {} },
      RestartPolicy: { Name: "no" },
    },
  };
}

function isOnMachineNetwork(network: SandboxNetwork): boolean {
  return network.kind === "named" && network.name === MACHINE_NETWORK;
}

function networkMode(network: SandboxNetwork): string {
  if (network.kind === "none") return "none";
  if (network.kind === "hosts") {
    const instead = "with a container engine choose no network, or a network of your own by its name";
    throw refuse(`a list of allowed hosts works in the bubblewrap sandbox only; ${instead}`);
  }
  const { name } = network;
  const isOdd = name !== MACHINE_NETWORK && name.toLowerCase() === MACHINE_NETWORK;
  if (!NAME.test(name) || FOREIGN_NETWORK.test(name) || isOdd) {
    throw refuse(
      `the network "${name.slice(0, 100)}" is not allowed; name one of the engine's own networks, or "none"`,
    );
  }
  return name;
}

/** Entries are a path, or a path and options: `/tmp` or `/tmp:size=64m`. */
function tmpfsOf({ container, limits }: SandboxProfile): Record<string, string> {
  const size = `size=${Math.floor(limits.memoryBytes / 2)}`;
  return Object.fromEntries(
    container.tmpfs.map((entry) => {
      const [path = "", options = ""] = entry.split(":", 2);
      if (!/^\/[^\0]+$/.test(path)) throw refuse(`"${entry}" names no folder for temporary files`);
      const given = options.split(",").filter((option) => option !== "" && !/^(?:suid|dev)$/.test(option));
      // They count as memory: without a limit of their own, files alone would fill it.
      const all = given.some((option) => option.startsWith("size=")) ? given : [...given, size];
      return [path, ["nosuid", "nodev", ...all].join(",")];
    }),
  );
}

function securityOptions({ container }: SandboxProfile): string[] {
  const { seccompProfile, apparmorProfile } = container;
  const filter = seccompProfile === undefined ? ownSeccomp() : readSeccomp(seccompProfile);
  const options = ["no-new-privileges", `seccomp=${filter}`];
  if (apparmorProfile === undefined) return options;
  if (!NAME.test(apparmorProfile) || /^unconfined$/i.test(apparmorProfile)) {
    throw refuse(`the AppArmor profile "${apparmorProfile.slice(0, 100)}" is not allowed; name one that is loaded`);
  }
  return [...options, `apparmor=${apparmorProfile}`];
}

/** The engine takes the filter itself, not the path of its file. */
function readSeccomp(path: string): string {
  if (!path.startsWith("/")) throw refuse(`the seccomp profile "${path.slice(0, 100)}" is not the path of a file`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new GatewayError("SANDBOX_FAILED", `the seccomp profile ${path} cannot be read`, { cause: error });
  }
  const json = parseJson(text);
  if (text.length > MAX_SECCOMP_BYTES || typeof json !== "object" || json === null) {
    throw refuse(`the seccomp profile ${path} is no JSON file of a filter`);
  }
  return JSON.stringify(json);
}

/** What is configured for the container goes before the limits all sandboxes have. */
function ulimitsOf({ container, limits }: SandboxProfile): { Name: string; Soft: number; Hard: number }[] {
  const same = (value: number): { soft: number; hard: number } => ({ soft: value, hard: value });
  const all: Record<string, { readonly soft: number; readonly hard: number }> = {
    core: same(0),
    cpu: same(limits.cpuSeconds),
    fsize: same(limits.fileBytes),
    nofile: same(limits.openFiles),
    ...container.ulimits,
  };
  return Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { soft, hard }]) => ({ Name: name, Soft: soft, Hard: hard }));
}

export function listEnv(env: Readonly<Record<string, string>>): string[] {
  return Object.keys(env)
    .toSorted()
    .map((name) => `${name}=${env[name]}`);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function refuse(detail: string): GatewayError {
  return new GatewayError("SANDBOX_FAILED", detail);
}
