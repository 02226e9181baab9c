// One gateway per state directory and per configuration: lock files that a crash cannot leave in the way.
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayError, once, type Clock, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { createNewFile, errnoOf } from "@chela/sdk/files";
import { holdByKernel, isHeldByKernel, type KernelLock } from "./kernel-lock.ts";
import { whereWeAre } from "../where.ts";

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

/** What the lock needs to know about processes. */
export interface Processes {
  readonly ownPid: number;
  /** Where their numbers hold; undefined where that cannot be known. */
  readonly where: string | undefined;
  isAlive(pid: number): boolean;
  /** When the process started, in the system's own unit; undefined where that cannot be known. */
  startTimeOf(pid: number): number | undefined;
}

const holderSchema = once(() =>
  z.looseObject({
    pid: z.int().positive(),
    createdAt: z.string(),
    configPath: z.string().optional(),
    startTime: z.number().optional(),
    stateDir: z.string().optional(),
    where: z.string().optional(),
  }),
);
type Holder = Parsed<typeof holderSchema>;

/** A file that is still being written by a program that does not write atomically is given this long. */
const HALF_WRITTEN_MS = 2_000;
const MAX_TRIES = 10;

/** Throws START_LOCKED at once when another live gateway holds either lock. */
export function acquireGatewayLock(options: LockOptions): GatewayLock {
  const processes = options.processes ?? systemProcesses;
  const startTime = processes.startTimeOf(processes.ownPid);
  const text = `${JSON.stringify({
    pid: processes.ownPid,
    createdAt: new Date(options.clock.now()).toISOString(),
    configPath: options.configPath,
    stateDir: options.stateDir,
    ...(startTime !== undefined ? { startTime } : {}),
    ...(processes.where !== undefined ? { where: processes.where } : {}),
    nonce: randomBytes(8).toString("hex"),
  })}\n`;
  const held: string[] = [];
  let kernelLock: KernelLock | undefined;
  const release = (): void => {
    kernelLock?.release();
    kernelLock = undefined;
    for (const path of held.splice(0)) if (readText(path) === text) rmSync(path, { force: true });
  };
  try {
    for (const path of lockPathsOf(options)) {
      takeLock(path, text, { clock: options.clock, processes });
      held.push(path);
    }
    kernelLock = holdByKernel(kernelLockPath(options.stateDir));
  } catch (error) {
    release();
    throw error;
  }
  const intruder = (): number | undefined => {
    for (const path of held) {
      const found = createWhole(path, text) ? text : readText(path);
      if (found === undefined || found === text) continue;
      if (isHeld(path, found, { clock: options.clock, processes })) return parseHolder(found)?.pid;
    }
    return undefined;
  };
  return { paths: [...held], release, intruder };
}

export type LockState =
  | { readonly kind: "free" }
  | {
      readonly kind: "held";
      readonly pid: number | undefined;
      readonly since: string | undefined;
      /** In another container, or on another machine: its pid is nobody's here, or somebody else's. */
      readonly isElsewhere: boolean;
    }
  /** Left behind by a process that is gone; the next start takes it over. */
  | { readonly kind: "stale"; readonly pid: number | undefined };

/** Where the lock inside a state directory lies. */
export function stateLockPath(stateDir: string): string {
  return join(stateDir, "gateway.lock");
}

/** Held while a gateway lives. Who cannot see its process, from another namespace or machine, sees this. */
function kernelLockPath(stateDir: string): string {
  return join(stateDir, "gateway.held");
}

/** Who holds a lock, without touching it. */
export function inspectLock(path: string, clock: Clock, processes: Processes = systemProcesses): LockState {
  const text = readText(path);
  if (text === undefined) return { kind: "free" };
  const holder = parseHolder(text);
  if (!isHeld(path, text, { clock, processes })) return { kind: "stale", pid: holder?.pid };
  const isElsewhere = holder !== undefined && !isHere(holder, processes);
  return { kind: "held", pid: holder?.pid, since: holder?.createdAt, isElsewhere };
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

interface Around {
  readonly clock: Clock;
  readonly processes: Processes;
}

function takeLock(path: string, text: string, around: Around): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (createWhole(path, text)) return;
    const found = readText(path);
    if (found === undefined) continue;
    if (isHeld(path, found, around)) throw lockedBy(path, found, around);
    if (replaceStale(path, found, text, around)) return;
  }
  throw new GatewayError("START_LOCKED", `others keep taking ${path} at this moment`);
}

/**
 * Replaces exactly the stale lock that was read. Two starters may see the same one: whoever first makes the claim file
 * named after it may replace it, after looking once more that it is still there.
 */
function replaceStale(path: string, stale: string, text: string, around: Around): boolean {
  const claim = `${path}.${createHash("sha256").update(stale).digest("hex").slice(0, 16)}`;
  if (!createWhole(claim, text)) {
    const claimed = readText(claim);
    if (claimed !== undefined && isHeld(claim, claimed, around)) throw lockedBy(path, claimed, around);
    rmSync(claim, { force: true });
    return false;
  }
  try {
    if (readText(path) !== stale) return false;
    const draft = writeDraft(path, text);
    renameSync(draft, path);
    return readText(path) === text;
  } finally {
    rmSync(claim, { force: true });
  }
}

/** Makes the file with all its content in one step, so that nobody ever reads half of it. False when it exists. */
function createWhole(path: string, text: string): boolean {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    return createPlainly(path, text);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For file systems without hard links. */
function createPlainly(path: string, text: string): boolean {
  try {
    return createNewFile(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.draft`;
  try {
    createNewFile(draft, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return draft;
}

function cannotWrite(path: string, error: unknown): GatewayError {
  return new GatewayError("START_STATE", `${path} cannot be written (${errnoOf(error) ?? "unknown reason"})`, {
    cause: error,
  });
}

function isHeld(path: string, text: string, { clock, processes }: Around): boolean {
  const holder = parseHolder(text);
  if (!holder) {
    const age = clock.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return Math.abs(age) < HALF_WRITTEN_MS;
  }
  if (!isHere(holder, processes)) return isHeldElsewhere(holder);
  if (!processes.isAlive(holder.pid)) return false;
  const startTime = processes.startTimeOf(holder.pid);
  // Same number, other process: the holder died and its pid was given out again.
  return startTime === undefined || holder.startTime === undefined || startTime === holder.startTime;
}

/** Whoever does not say where it is (OpenClaw does not) is taken to be here. */
function isHere({ where }: Holder, processes: Processes): boolean {
  return where === undefined || where === processes.where;
}

/**
 * Nothing here knows its process. A lock without a directory is a short one and believed: who waits for it knows how long.
 * A directory that is not there is another one than ours.
 */
function isHeldElsewhere({ stateDir }: Holder): boolean {
  if (stateDir === undefined) return true;
  return existsSync(stateDir) && (isHeldByKernel(kernelLockPath(stateDir)) ?? true);
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function lockedBy(path: string, text: string, { processes }: Around): GatewayError {
  const holder = parseHolder(text);
  const where = holder && !isHere(holder, processes) ? " in another container or on another machine" : "";
  const who = holder
    ? `process ${holder.pid}${where}, since ${holder.createdAt}`
    : "a process that is starting right now";
  return new GatewayError("START_LOCKED", `${who} (lock file ${path})`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw new GatewayError("START_STATE", `${path} cannot be read (${errnoOf(error) ?? "unknown reason"})`, {
      cause: error,
    });
  }
}

const systemProcesses: Processes = {
  ownPid: process.pid,
  where: whereWeAre(),
  isAlive(pid) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      // It exists but belongs to somebody else.
      return errnoOf(error) === "EPERM";
    }
    // A process that ended but was never collected by its parent holds nothing any more.
    return statFieldsOf(pid)?.[0] !== "Z";
  },
  startTimeOf(pid) {
    const field = statFieldsOf(pid)?.[19];
    return field === undefined ? undefined : Number(field);
  },
};

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces and parentheses. */
function statFieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
