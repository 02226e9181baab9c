// Holder of a locked file: which process on which machine, since when, and whether it still lives. The format is OpenClaw's, with more in it.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { once, type Clock, type Parsed } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import * as z from "zod";
import { isAlive, startTimeOf } from "../processes.ts";
import { whereWeAre } from "../where.ts";
import { isHeldByKernel } from "./kernel-lock.ts";

/** What locks need to know about processes. */
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
    /** Not every program says it. */
    createdAt: z.string().optional(),
    configPath: z.string().optional(),
    startTime: z.number().optional(),
    stateDir: z.string().optional(),
    where: z.string().optional(),
  }),
);
type Holder = Parsed<typeof holderSchema>;

/** A file that is still being written by a program that does not write atomically is given this long. */
const HALF_WRITTEN_MS = 2_000;

/** What it takes to judge a holder. */
export interface Around {
  readonly clock: Clock;
  readonly processes: Processes;
}

/** What this process writes into a lock it takes. No two are the same. */
export function nameSelf({ clock, processes }: Around, more: { configPath?: string; stateDir?: string } = {}): string {
  const { ownPid, where } = processes;
  const startTime = processes.startTimeOf(ownPid);
  return `${JSON.stringify({
    pid: ownPid,
    createdAt: new Date(clock.now()).toISOString(),
    ...more,
    ...(startTime !== undefined ? { startTime } : {}),
    ...(where !== undefined ? { where } : {}),
    nonce: randomBytes(8).toString("hex"),
  })}\n`;
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

/** Who holds a lock, without touching it. */
export function inspectLock(path: string, clock: Clock, processes: Processes = systemProcesses): LockState {
  const text = readLock(path);
  if (text === undefined) return { kind: "free" };
  const holder = readHolder(text);
  if (!isHeld(path, text, { clock, processes })) return { kind: "stale", pid: holder?.pid };
  const isElsewhere = holder !== undefined && !isHere(holder, processes);
  return { kind: "held", pid: holder?.pid, since: holder?.createdAt, isElsewhere };
}

/** The lock as it is written; undefined when there is none. */
export function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined when it is damaged or only half written. */
export function readHolder(text: string): Holder | undefined {
  return holderSchema().safeParse(parseJson(text)).data;
}

/** Held while a gateway lives. Who cannot see its process, from another namespace or machine, sees this. */
export function kernelLockPath(stateDir: string): string {
  return join(stateDir, "gateway.held");
}

export function isHeld(path: string, text: string, { clock, processes }: Around): boolean {
  const holder = readHolder(text);
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
export function isHere({ where }: Holder, processes: Processes): boolean {
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

export const systemProcesses: Processes = {
  ownPid: process.pid,
  where: whereWeAre(),
  isAlive,
  startTimeOf,
};
