// Reads from Linux what a process and the processes it started use: memory, computing time, bytes written.
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts computing time in hundredths of a second, on every machine we know. */
const TICK_MS = 10;
const KIB_PER_MIB = 1024;

export interface WrittenBytes {
  /** Handed to the system, pipes and sockets included. */
  readonly asked: number;
  /** Sent on to a disk. */
  readonly toDisk: number;
}

/** The process and everything below it. */
export function processTree(pid: number): number[] {
  const found = [pid];
  for (const one of found) found.push(...childrenOf(one));
  return found;
}

export function isAlive(pid: number): boolean {
  const status = readProc(pid, "status");
  return status !== undefined && !/^State:\s+Z/m.test(status);
}

export function residentMib(pid: number): number {
  return sum(pid, (one) => numberAfter(readProc(one, "status"), "VmRSS") / KIB_PER_MIB);
}

/** Of this process alone, without those it started. */
export function ownResidentMib(pid: number): number {
  return numberAfter(readProc(pid, "status"), "VmRSS") / KIB_PER_MIB;
}

/** What the processes it started have for themselves: the program they share with it counts once, and there. */
export function privateMibOfChildren(pid: number): number {
  const kibOf = (one: number): number => {
    const maps = readProc(one, "smaps_rollup");
    return numberAfter(maps, "Private_Clean") + numberAfter(maps, "Private_Dirty");
  };
  return (sum(pid, kibOf) - kibOf(pid)) / KIB_PER_MIB;
}

export function peakResidentMib(pid: number): number {
  return sum(pid, (one) => numberAfter(readProc(one, "status"), "VmHWM") / KIB_PER_MIB);
}

export function computingMs(pid: number): number {
  return sum(pid, (one) => {
    const stat = readProc(one, "stat");
    // The name stands in parentheses and may hold spaces, so fields count from its end: utime is the 12th after it.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  });
}

export function writtenBytes(pid: number): WrittenBytes {
  return {
    asked: sum(pid, (one) => numberAfter(readProc(one, "io"), "wchar")),
    toDisk: sum(pid, (one) => numberAfter(readProc(one, "io"), "write_bytes")),
  };
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    // It ended while we looked.
    return [];
  }
}

function sum(pid: number, read: (pid: number) => number): number {
  return processTree(pid).reduce((total, one) => total + read(one), 0);
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

function numberAfter(text: string | undefined, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text ?? "")?.[1] ?? 0);
}
