// Disks that misbehave: a small one that fills up, one that can only be read, a directory that lets nobody write.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
  type Dirent,
} from "node:fs";
import { join } from "node:path";
import { errnoOf } from "@chela/sdk/files";
import { ON_DISK } from "./on-disk.ts";

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves no room for a single page more. */
  fill(): void;
  /** Makes the room that `fill` took free again. */
  free(): void;
  makeReadOnly(): void;
  makeWritable(): void;
}

/** Only the administrator may mount; elsewhere these tests say that they did not run. */
export function canMount(): boolean {
  return probe("mounting a small disk", () => mountSmallDisk(probeDirectory(), 1)[Symbol.dispose]());
}

export function canFreeze(): boolean {
  return probe("making files immutable", tryFreezing);
}

function tryFreezing(): void {
  const path = probeDirectory();
  const file = openSync(join(path, "file"), "w");
  using frozen = freezeDirectory(path);
  try {
    writeSync(file, "text");
  } catch (error) {
    if (errnoOf(error) === "EPERM") return;
    throw error;
  } finally {
    closeSync(file);
    frozen.thaw();
    rmSync(path, { recursive: true });
  }
  throw new Error("this file system lets a file that is open be written");
}

function probe(what: string, attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    process.stderr.write(`\nNOT TESTED HERE, because ${what} does not work: ${String(error)}\n`);
    return false;
  }
}

function probeDirectory(): string {
  return mkdtempSync(join(ON_DISK, "chela-probe-"));
}

function run(command: string, ...argv: string[]): void {
  const { status, stderr, error } = spawnSync(command, argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${argv.join(" ")}: ${error?.message ?? stderr.trim()}`);
}

/** Until it is disposed of, the process opens nothing more. */
export function takeDescriptors(pid: number): Disposable {
  const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let free = 0;
  while (used.has(free)) free++;
  const limit = (most: number): void => run("prlimit", "--pid", String(pid), `--nofile=${most}:`);
  limit(free);
  return { [Symbol.dispose]: () => limit(1024) };
}

export function canLimitDescriptors(): boolean {
  return probe("limiting the descriptors of a process", () => run("prlimit", "--pid", String(process.pid)));
}

export function mountSmallDisk(path: string, megabytes: number): SmallDisk {
  mkdirSync(path, { recursive: true });
  run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  const ballast = join(path, "ballast");
  return {
    path,
    fill: () => fillUp(ballast, path),
    free: () => rmSync(ballast, { force: true }),
    makeReadOnly: () => run("mount", "-o", "remount,ro", path),
    makeWritable: () => run("mount", "-o", "remount,rw", path),
    [Symbol.dispose]() {
      run("umount", "--lazy", path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function fillUp(ballast: string, path: string): void {
  const block = Buffer.alloc(4096, "x");
  try {
    while (statfsSync(path).bavail > 0) writeFileSync(ballast, block, { flag: "a" });
  } catch (error) {
    if (errnoOf(error) !== "ENOSPC") throw error;
  }
}

/**
 * Nothing in the directory can be written, not even through files that are open, until it thaws. Only the memory that
 * SQLite shares between processes is left alone: the system ends a process that writes to such a mapping.
 */
export function freezeDirectory(path: string): Disposable & { thaw(): void } {
  let isFrozen = true;
  const thaw = (): void => {
    if (isFrozen) run("chattr", "-R", "-i", path);
    isFrozen = false;
  };
  try {
    freezeDirectories(path);
    run("chattr", "+i", ...listBelow(path, (entry) => entry.isFile() && !entry.name.endsWith("-shm")));
  } catch (error) {
    thaw();
    throw error;
  }
  return { thaw, [Symbol.dispose]: thaw };
}

/** Directories first: then no file comes or goes while the rest is frozen. One may appear while others freeze. */
function freezeDirectories(path: string): void {
  const frozen = new Set<string>();
  for (;;) {
    const others = [path, ...listBelow(path, (entry) => entry.isDirectory())].filter((one) => !frozen.has(one));
    if (others.length === 0) return;
    run("chattr", "+i", ...others);
    for (const one of others) frozen.add(one);
  }
}

function listBelow(path: string, isWanted: (entry: Dirent) => boolean): string[] {
  const all = readdirSync(path, { recursive: true, withFileTypes: true });
  return all.filter(isWanted).map((entry) => join(entry.parentPath, entry.name));
}
