// Works out everything that holds for one sandbox. It reads the configuration and nothing else: no call can widen it.
import { createHash } from "node:crypto";
import { dirname, join, relative, sep } from "node:path";
import {
  GatewayError,
  type WorkspaceAccess,
  type ContainerProfile,
  type SandboxDisk,
  type SandboxMount,
  type SandboxNetwork,
  type SandboxProfile,
} from "@chela/sdk";
import { readBinds, type BindRules } from "./binds.ts";
import { readSize } from "./read-size.ts";
import type { SandboxSettings } from "./settings.ts";

export interface ProfileSubject {
  readonly agentId: string;
  readonly sessionKey: string;
  /** A conversation that begins anew has a new one, and a new sandbox with it. */
  readonly sessionId: string;
  readonly scope: "session" | "agent" | "shared";
  readonly access: WorkspaceAccess;
  /** What of the mounted folders is covered, by where it really is; undefined when nothing has to be. */
  readonly covered?: readonly CoveredPath[];
  /** Absolute path of the agent's workspace, links resolved. */
  readonly workspace: string;
  /** What of the workspace stays read-only when the rest can be written: it says what programs of the machine run. */
  readonly control: readonly string[];
  readonly binds: Pick<BindRules, "closed" | "realPath">;
  /** Copies of the agent's skills. */
  readonly skills?: string | undefined;
}

/** Where an agent's workspace is seen when it can only be read. */
const READ_ONLY_WORKSPACE = "/agent";
/** Where its skills are seen. */
const SKILLS = "/skills";
export const WORKDIR = "/workspace";
const MEBIBYTE = 1024 ** 2;
const LIMITS = { memoryMb: 1024, processes: 256, cpuSeconds: 3600, fileMb: 1024, openFiles: 1024 };
const DISK = { diskMb: 2048, files: 100_000, keepFreeMb: 512 };

export interface CoveredPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What stands in the place of a covered folder or file: there is nothing in it. */
export function blankOf(root: string, isFolder: boolean): string {
  return join(root, isFolder ? "blank-folder" : "blank-file");
}

function scopeOf({ scope, agentId, sessionKey, sessionId }: ProfileSubject): string {
  if (scope === "shared") return "shared";
  return scope === "agent" ? `agent:${agentId}` : `${sessionScope(sessionKey)}${sessionId}`;
}

/** Begins the name of every sandbox of a conversation; what follows has neither "@" nor ":". */
export function sessionScope(sessionKey: string): string {
  return `session:${sessionKey}@`;
}

/** The folder of a scope that is not the agent's workspace: readable for people, and never the same for two scopes. */
export function folderOf(root: string, scope: string): string {
  const [, conversation, life = "", seen = ""] = /^(session:.*@)([^+@]*)(.*)$/s.exec(scope) ?? [];
  if (conversation === undefined) return join(root, nameOf(scope));
  return join(root, nameOf(conversation), nameOf(life), seen === "" ? "files" : nameOf(seen));
}

function nameOf(scope: string): string {
  const words = scope
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40);
  return `${words}-${createHash("sha256").update(scope).digest("hex").slice(0, 8)}`;
}

/** A conversation that begins anew does not begin with new room: all of its lives lie in one folder. */
function roomOf(root: string, scope: string): Pick<SandboxDisk, "folder" | "inUse"> {
  const folder = folderOf(root, scope);
  const life = dirname(folder);
  return life === root ? { folder } : { folder: dirname(life), inUse: life };
}

export function profileOf(settings: SandboxSettings, subject: ProfileSubject): SandboxProfile {
  const { docker } = settings;
  const { access, covered = [] } = subject;
  // Those that see different parts of the workspace do not share a sandbox: one would see through the other.
  const seen = `${access === "none" ? "" : `+${access}`}${subject.covered ? "+covered" : ""}`;
  const scope = `${scopeOf(subject)}${seen}`;
  const workdir = docker.workdir ?? WORKDIR;
  const open = [
    ...workspaceMounts(settings, subject, scope, workdir),
    ...readBinds(docker.binds ?? [], {
      ...subject.binds,
      near: [subject.workspace, settings.root],
      mayComeFromAnywhere: docker.dangerouslyAllowExternalBindSources ?? false,
      mayCoverReserved: docker.dangerouslyAllowReservedContainerTargets ?? false,
      reserved: [workdir, READ_ONLY_WORKSPACE, SKILLS],
    }),
    ...skillMounts(subject),
  ];
  return {
    scope,
    workdir,
    mounts: [...open, ...covers(open, covered, settings.root)],
    network: networkOf(settings),
    limits: limitsOf(settings),
    disk: diskOf(settings, access === "rw" ? {} : roomOf(settings.root, scope)),
    env: { PATH: USUAL_PATH, HOME: workdir, LANG: "C.UTF-8", TERM: "dumb", ...docker.env },
    container: containerOf(settings),
  };
}

const USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function workspaceMounts(
  { root }: SandboxSettings,
  { access, workspace, control }: ProfileSubject,
  scope: string,
  workdir: string,
): SandboxMount[] {
  if (access === "rw") {
    const kept = control.map((path) => ({
      outside: path,
      inside: join(workdir, relative(workspace, path)),
      isWritable: false,
    }));
    return [{ outside: workspace, inside: workdir, isWritable: true }, ...kept];
  }
  const own: SandboxMount = { outside: folderOf(root, scope), inside: workdir, isWritable: true };
  return access === "none" ? [own] : [own, { outside: workspace, inside: READ_ONLY_WORKSPACE, isWritable: false }];
}

/** A sandbox that agents share shows the skills of none of them. */
function skillMounts({ skills, scope }: ProfileSubject): SandboxMount[] {
  return skills === undefined || scope === "shared" ? [] : [{ outside: skills, inside: SKILLS, isWritable: false }];
}

/** Mounted above what they cover, wherever it can be seen. */
function covers(mounts: readonly SandboxMount[], covered: readonly CoveredPath[], root: string): SandboxMount[] {
  return covered.flatMap(({ path, isFolder }) =>
    mounts.flatMap(({ outside, inside }) => {
      const below = relative(outside, path);
      if (below === ".." || below.startsWith(`..${sep}`)) return [];
      return [{ outside: blankOf(root, isFolder), inside: join(inside, below), isWritable: false }];
    }),
  );
}

function networkOf({ docker, allowHosts }: SandboxSettings): SandboxNetwork {
  const name = docker.network ?? "none";
  if (name.startsWith("container:")) {
    const why = `sandbox.docker.network is "${name}", which would put the sandbox into another container.`;
    throw new GatewayError(
      "SANDBOX_FAILED",
      `${why} Set it to "none", list hosts in sandbox.allowHosts, or name a network.`,
    );
  }
  if (name !== "none") return { kind: "named", name };
  return allowHosts.length > 0 ? { kind: "hosts", hosts: allowHosts } : { kind: "none" };
}

function limitsOf({ limits, docker }: SandboxSettings): SandboxProfile["limits"] {
  const memoryMb = limits.memoryMb ?? LIMITS.memoryMb;
  return {
    memoryBytes: docker.memory === undefined ? memoryMb * MEBIBYTE : readSize(docker.memory, "sandbox.docker.memory"),
    processes: limits.processes ?? docker.pidsLimit ?? LIMITS.processes,
    cpuSeconds: limits.cpuSeconds ?? LIMITS.cpuSeconds,
    fileBytes: (limits.fileMb ?? LIMITS.fileMb) * MEBIBYTE,
    openFiles: limits.openFiles ?? LIMITS.openFiles,
    ...(docker.cpus === undefined ? {} : { cpus: docker.cpus }),
  };
}

function diskOf({ limits }: SandboxSettings, room: Pick<SandboxDisk, "folder" | "inUse">): SandboxDisk {
  return {
    ...room,
    bytes: (limits.diskMb ?? DISK.diskMb) * MEBIBYTE,
    files: limits.files ?? DISK.files,
    keepFreeBytes: (limits.keepFreeMb ?? DISK.keepFreeMb) * MEBIBYTE,
  };
}

function containerOf({ docker }: SandboxSettings): ContainerProfile {
  const swap = docker.memorySwap;
  return {
    image: docker.image ?? "openclaw-sandbox:bookworm-slim",
    namePrefix: docker.containerPrefix ?? "openclaw-sbx-",
    isRootReadOnly: docker.readOnlyRoot ?? true,
    tmpfs: docker.tmpfs ?? ["/tmp", "/var/tmp", "/run"],
    capDrop: docker.capDrop ?? ["ALL"],
    ulimits: Object.fromEntries(Object.entries(docker.ulimits ?? {}).map(([name, value]) => [name, ulimitOf(value)])),
    dns: docker.dns ?? [],
    extraHosts: docker.extraHosts ?? [],
    ...(docker.user === undefined ? {} : { user: docker.user }),
    ...(docker.setupCommand === undefined ? {} : { setupCommand: docker.setupCommand }),
    ...(swap === undefined ? {} : { memorySwapBytes: readSize(swap, "sandbox.docker.memorySwap") }),
    ...(docker.seccompProfile === undefined ? {} : { seccompProfile: docker.seccompProfile }),
    ...(docker.apparmorProfile === undefined ? {} : { apparmorProfile: docker.apparmorProfile }),
  };
}

type Ulimit = NonNullable<SandboxSettings["docker"]["ulimits"]>[string];

/** A number, "soft:hard", or both by name; a limit that is said once holds for both. */
function ulimitOf(written: Ulimit): { soft: number; hard: number } {
  if (typeof written === "object") {
    const known = written.soft ?? written.hard ?? 0;
    return { soft: known, hard: written.hard ?? known };
  }
  const [soft = "", hard = soft] = String(written).split(":");
  return { soft: Number(soft), hard: Number(hard) };
}
