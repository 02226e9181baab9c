// Control groups of Linux: memory, processes and processor time of a whole sandbox, kept by the kernel.
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SandboxLimits } from "@chela/sdk";
import { isLeftOver } from "../private-folders.ts";

export interface ControlGroup {
  /** Files that take the number of a process which shall belong here. */
  readonly procs: readonly string[];
  /** Takes effect at once; throws when the kernel does not take it. `member` is in the group already. */
  limit(limits: SandboxLimits, member?: number): void;
  /** How often the kernel ended a process in here because memory was used up. */
  memoryKills(): number;
  /** The kernel needs a moment to forget processes that have ended; a group that is still in use then stays. */
  remove(): Promise<void>;
}

export interface ControlGroupPlaces {
  /** What /proc/self/cgroup and /proc/self/mountinfo say. */
  readonly membership: string;
  readonly mounts: string;
}

/** bubblewrap twice, the warden, two that are ready for the next command, and one that waits for each command. */
export const OWN_PROCESSES = 10;
const PERIOD = 100_000;
const REMOVE_TRIES = 5_000;

/** Below the gateway's own group, so that its limits hold for the sandbox, too; undefined where that cannot be. */
export function createControlGroup(
  name: string,
  limits: SandboxLimits,
  places: ControlGroupPlaces = readPlaces(),
): ControlGroup | undefined {
  const memory = ownGroup(places, "memory");
  const pids = ownGroup(places, "pids");
  if (memory && pids) return createByController(name, limits, { memory, pids, cpu: ownGroup(places, "cpu") });
  const unified = ownGroup(places, undefined);
  return unified ? createUnified(unified, name, limits) : undefined;
}

function readPlaces(): ControlGroupPlaces {
  return { membership: readOr("/proc/self/cgroup"), mounts: readOr("/proc/self/mountinfo") };
}

/** The gateway's own folder for a controller of version 1, or that of version 2. */
function ownGroup({ membership, mounts }: ControlGroupPlaces, controller: string | undefined): string | undefined {
  const rows = membership.split("\n").map((row) => /^\d+:([^:]*):(.*)$/.exec(row));
  const mine = rows.find((row) =>
    controller === undefined ? row?.[1] === "" : row?.[1]?.split(",").includes(controller),
  )?.[2];
  if (mine === undefined) return undefined;
  for (const row of mounts.split("\n")) {
    const [before = "", after = ""] = row.split(" - ");
    const [, , , root = "", mountPoint = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    const isIt =
      controller === undefined ? type === "cgroup2" : type === "cgroup" && options.split(",").includes(controller);
    if (!isIt) continue;
    if (root === "/") return join(mountPoint, mine);
    if (mine === root || mine.startsWith(`${root}/`)) return join(mountPoint, mine.slice(root.length));
  }
  return undefined;
}

function createByController(
  name: string,
  limits: SandboxLimits,
  own: { readonly memory: string; readonly pids: string; readonly cpu: string | undefined },
): ControlGroup | undefined {
  const [memory, pids] = [join(own.memory, name), join(own.pids, name)];
  const folders = [memory, pids];
  return createGroup(folders, limits, join(memory, "memory.oom_control"), (wanted, member) => {
    // Memory with swap, where the kernel counts that, is never less than memory: before it grows and after it shrinks.
    tryWrite(memory, "memory.memsw.limit_in_bytes", wanted.memoryBytes);
    write(memory, "memory.limit_in_bytes", wanted.memoryBytes);
    tryWrite(memory, "memory.memsw.limit_in_bytes", wanted.memoryBytes);
    write(pids, "pids.max", wanted.processes + OWN_PROCESSES);
    if (own.cpu !== undefined) limitProcessors(join(own.cpu, name), folders, wanted, member);
  });
}

/** Only where it is asked for: not every process may join such a group. A share is no wall, so it is done as far as it can be. */
function limitProcessors(folder: string, folders: string[], limits: SandboxLimits, member: number | undefined): void {
  const quota = quotaOf(limits);
  if (quota === undefined) return;
  if (!folders.includes(folder)) {
    makeGroup(folder);
    folders.push(folder);
  }
  tryWrite(folder, "cpu.cfs_quota_us", quota);
  if (member !== undefined) tryWrite(folder, "cgroup.procs", member);
}

function createUnified(own: string, name: string, limits: SandboxLimits): ControlGroup | undefined {
  const folder = join(own, name);
  if (!handDown(own)) return undefined;
  return createGroup([folder], limits, join(folder, "memory.events"), (wanted) => {
    write(folder, "memory.max", wanted.memoryBytes);
    tryWrite(folder, "memory.swap.max", 0);
    write(folder, "pids.max", wanted.processes + OWN_PROCESSES);
    tryWrite(folder, "cpu.max", `${quotaOf(wanted) ?? "max"} ${PERIOD}`);
  });
}

function createGroup(
  folders: readonly string[],
  limits: SandboxLimits,
  killsFile: string,
  limit: ControlGroup["limit"],
): ControlGroup | undefined {
  try {
    folders.forEach(makeGroup);
    limit(limits);
  } catch {
    removeAll(folders);
    return undefined;
  }
  return {
    get procs() {
      return folders.map((folder) => join(folder, "cgroup.procs"));
    },
    limit,
    memoryKills: () => Number(/^oom_kill (\d+)$/m.exec(readOr(killsFile))?.[1] ?? 0),
    async remove() {
      // Each attempt takes its time in another thread.
      for (let left = REMOVE_TRIES; left > 0 && !removeAll(folders); left -= 1) await access("/");
    },
  };
}

/**
 * Version 2 hands controllers down only from groups without processes of their own. A group that was given to us alone
 * (a service with Delegate=yes) is emptied into one below it, as its documentation asks for; one with others in it is
 * left as it is.
 */
function handDown(own: string): boolean {
  const has = (file: string): boolean => {
    const words = readOr(join(own, file)).trim().split(/\s+/);
    return words.includes("memory") && words.includes("pids");
  };
  if (!has("cgroup.controllers")) return false;
  const enable = (): void => {
    tryWrite(own, "cgroup.subtree_control", "+memory +pids");
    tryWrite(own, "cgroup.subtree_control", "+cpu");
  };
  if (!has("cgroup.subtree_control")) enable();
  if (has("cgroup.subtree_control")) return true;
  const members = readOr(join(own, "cgroup.procs")).trim().split("\n");
  if (members.length !== 1 || members[0] !== String(process.pid) || !mayWrite(join(own, "cgroup.procs"))) return false;
  const leaf = join(own, "gateway");
  try {
    mkdirSync(leaf, { recursive: true });
    write(leaf, "cgroup.procs", process.pid);
  } catch {
    return false;
  }
  enable();
  return has("cgroup.subtree_control");
}

/** Groups of a gateway that was killed stay behind, empty. */
function makeGroup(folder: string): void {
  const parent = dirname(folder);
  removeAll(
    readdirSync(parent)
      .filter(isLeftOver)
      .map((name) => join(parent, name)),
  );
  mkdirSync(folder);
}

/** Undefined without a limit. */
function quotaOf({ cpus }: SandboxLimits): number | undefined {
  return cpus === undefined ? undefined : Math.max(1_000, Math.round(cpus * PERIOD));
}

function removeAll(folders: readonly string[]): boolean {
  let isGone = true;
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch (error) {
      isGone &&= error instanceof Error && "code" in error && error.code === "ENOENT";
    }
  }
  return isGone;
}

function write(folder: string, file: string, value: number | string): void {
  writeFileSync(join(folder, file), String(value), { flag: "r+" });
}

function tryWrite(folder: string, file: string, value: number | string): void {
  try {
    write(folder, file, value);
  } catch {
    // Whether it took effect is looked at where that matters.
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
