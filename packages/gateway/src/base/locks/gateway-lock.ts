// One gateway per state directory and per configuration: lock files that a crash cannot leave in the way.
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayError, type Clock } from "@chela/sdk";
import { createNewFile, errnoOf } from "@chela/sdk/files";
import {
  isHeld,
  isHere,
  kernelLockPath,
  nameSelf,
  readHolder,
  readLock,
  systemProcesses,
  type Around,
  type Processes,
} from "./holder.ts";
import { holdByKernel, type KernelLock } from "./kernel-lock.ts";
import { letGo, takeLock, type Taken } from "./lock-file.ts";

export interface GatewayLock {
  readonly paths: readonly string[];
  /** Removes the lock files that are still ours. May be called more than once. */
  release(): void;
  /**
   * The process of another gateway that took a lock of ours although we live. OpenClaw does so when it is told another
   * port. A lock that is merely gone is taken again.
   */
  intruder(): number | undefined;
}

export interface LockOptions {
  readonly stateDir: string;
  readonly configPath: string;
  readonly clock: Clock;
  /** Where the per-user directory for locks is made; the system's temporary directory unless told otherwise. */
  readonly temporaryDirectory?: string;
  /** Tried when that one cannot be had, because anybody may have put something in its place: XDG_RUNTIME_DIR. */
  readonly runtimeDirectory?: string | undefined;
  readonly processes?: Processes;
}

/** Throws START_LOCKED at once when another live gateway holds either lock. */
export function acquireGatewayLock(options: LockOptions): GatewayLock {
  const { configPath, stateDir, clock, processes = systemProcesses } = options;
  const around = { clock, processes };
  const text = nameSelf(around, { configPath, stateDir });
  const held: string[] = [];
  let kernelLock: KernelLock | undefined;
  const release = (): void => {
    kernelLock?.release();
    kernelLock = undefined;
    for (const path of held.splice(0)) letGo(path, text);
  };
  try {
    for (const path of lockPathsOf(options)) {
      takeOrRefuse(path, text, around);
      held.push(path);
    }
    kernelLock = holdByKernel(kernelLockPath(stateDir));
  } catch (error) {
    release();
    throw error;
  }
  const intruder = (): number | undefined => {
    for (const path of held) {
      const found = createNewFile(path, text) ? text : readLock(path);
      if (found === undefined || found === text) continue;
      if (isHeld(path, found, around)) return readHolder(found)?.pid;
    }
    return undefined;
  };
  return { paths: [...held], release, intruder };
}

/** Where the lock inside a state directory lies. */
export function stateLockPath(stateDir: string): string {
  return join(stateDir, "gateway.lock");
}

/** The first is where other OpenClaw programs look; the second holds even when two programs see different /tmp. */
function lockPathsOf({ stateDir, configPath, temporaryDirectory, runtimeDirectory }: LockOptions): string[] {
  const runtime = runtimeDirectory ?? process.env["XDG_RUNTIME_DIR"];
  const places = [temporaryDirectory ?? tmpdir(), runtime || undefined, join(stateDir, "locks")];
  const directory = firstPrivate(places.filter((place) => place !== undefined));
  const hash = createHash("sha256").update(configPath).digest("hex").slice(0, 8);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  return [join(directory, `gateway.${hash}.lock`), stateLockPath(stateDir)];
}

/** Whoever else is on this machine must not keep a gateway from starting, so the next place is tried. */
function firstPrivate(parents: readonly string[]): string {
  let failure: unknown;
  for (const parent of parents) {
    try {
      return preparePrivateDirectory(parent);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Everybody may write to /tmp, so the directory must be ours, real and closed to others. */
function preparePrivateDirectory(parent: string): string {
  const uid = process.getuid?.();
  const path = join(parent, uid === undefined ? "openclaw" : `openclaw-${uid}`);
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw cannotWrite(path, error);
  }
  const stat = lstatSync(path);
  if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid)) {
    throw new GatewayError("START_STATE", `${path} is not a directory of this user; remove it, it holds only locks`);
  }
  if (uid !== undefined && (stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}

function takeOrRefuse(path: string, text: string, around: Around): void {
  let taken: Taken;
  try {
    taken = takeLock(path, text, (at, found) => isHeld(at, found, around));
  } catch (error) {
    throw cannotWrite(path, error);
  }
  if (taken.kind === "held") throw lockedBy(path, taken.by, around);
}

function cannotWrite(path: string, error: unknown): GatewayError {
  return new GatewayError("START_STATE", `${path} cannot be written (${errnoOf(error) ?? "unknown reason"})`, {
    cause: error,
  });
}

function lockedBy(path: string, text: string | undefined, { processes }: Around): GatewayError {
  if (text === undefined) return new GatewayError("START_LOCKED", `others keep taking ${path} at this moment`);
  const holder = readHolder(text);
  const where = holder && !isHere(holder, processes) ? " in another container or on another machine" : "";
  const who = holder
    ? `process ${holder.pid}${where}, since ${holder.createdAt ?? "an unknown time"}`
    : "a process that is starting right now";
  return new GatewayError("START_LOCKED", `${who} (lock file ${path})`);
}
