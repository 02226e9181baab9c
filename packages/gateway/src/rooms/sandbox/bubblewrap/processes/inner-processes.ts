// Looks from outside at the processes of one sandbox, and signals those that belong to a command.
import { readdirSync, readFileSync } from "node:fs";
import { MARKER } from "../warden-script.ts";

export interface InnerProcess {
  readonly pid: number;
  readonly parent: number;
  readonly isZombie: boolean;
}

/** Looking through all processes takes a millisecond or two. */
const MOST_PASSES = 30;
/** A process that is told to stop does so when it next comes out of the kernel. */
const MOST_LOOKS = 2_000;

/**
 * Everything below `root`, the bubblewrap process that we started ourselves: who loses its parent in there goes to the
 * first process of the namespace, so nothing ever leaves this tree, and nothing else is ever in it.
 */
export function findInnerProcesses(root: number | undefined): InnerProcess[] {
  // All processes of the machine descend from these two.
  if (root === undefined || root <= 1) return [];
  const rows = processNumbers().flatMap((name) => (/^\d+$/.test(name) ? (readRow(Number(name)) ?? []) : []));
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const found: InnerProcess[] = [];
  for (let next = children.get(root) ?? []; next.length > 0;) {
    found.push(...next);
    next = next.flatMap(({ pid }) => children.get(pid) ?? []);
  }
  return found;
}

/**
 * Ends bubblewrap and what it started. It is held first: one that is ended while it sets the sandbox up may have started
 * the inside a moment ago, which would then wait for it for good.
 */
export function endSandbox(root: number | undefined): void {
  if (root === undefined) return;
  signalQuietly(root, "SIGSTOP");
  for (let look = 0; look < MOST_LOOKS && !/^[TZ]?$/.test(stateOf(root)); look += 1);
  // The first process of the namespace takes all others with it.
  for (const { pid, parent } of findInnerProcesses(root)) if (parent === root) signalQuietly(pid, "SIGKILL");
  signalQuietly(root, "SIGKILL");
}

/** The number outside of a process that has this one inside. */
export function findOuterPid(root: number | undefined, innerPid: number): number | undefined {
  return findInnerProcesses(root).find(({ pid }) => innerPidOf(pid) === innerPid)?.pid;
}

/**
 * Reaches the command, what descends from it, and what carries its mark. Numbers are looked up right before they are
 * used; for another process to get one in between, all numbers of the machine would have to be used up in that instant.
 */
export function signalCommand(
  root: number | undefined,
  command: { readonly id: string; readonly innerPid: number | undefined },
  signal: NodeJS.Signals,
): void {
  // What is to be ended is held first: a tree that goes on growing could otherwise outrun whoever ends it.
  const isEnd = signal === "SIGKILL";
  const seen = new Set<number>();
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const found = findMembers(root, command).filter((pid) => !seen.has(pid));
    if (found.length === 0) break;
    for (const pid of found) {
      seen.add(pid);
      signalQuietly(pid, isEnd ? "SIGSTOP" : signal);
    }
  }
  if (isEnd) for (const pid of findMembers(root, command)) signalQuietly(pid, signal);
}

function findMembers(
  root: number | undefined,
  { id, innerPid }: { readonly id: string; readonly innerPid: number | undefined },
): number[] {
  const processes = findInnerProcesses(root).filter(({ isZombie }) => !isZombie);
  const family = new Set<number>();
  // Parents come before their children.
  for (const { pid, parent } of processes) {
    const isMember =
      family.has(parent) || (innerPid !== undefined && innerPidOf(pid) === innerPid) || isMarked(pid, id);
    if (isMember) family.add(pid);
  }
  return [...family];
}

/** Memory that is its own alone; what it shares with others would be counted for each of them. */
export function ownMemoryOf(pid: number): number {
  return Number(/^RssAnon:\s*(\d+) kB$/m.exec(readOr(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function isMarked(pid: number, id: string): boolean {
  return readOr(`/proc/${pid}/environ`).split("\0").includes(`${MARKER}=${id}`);
}

/** The last number is that of the innermost namespace. */
function innerPidOf(pid: number): number | undefined {
  const row = /^NSpid:\s*(.+)$/m.exec(readOr(`/proc/${pid}/status`))?.[1]?.split(/\s+/);
  return row && row.length > 1 ? Number(row.at(-1)) : undefined;
}

/** None without /proc: nothing is set up then, and what stands ends with bubblewrap. */
function processNumbers(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

function readRow(pid: number): InnerProcess | undefined {
  const [state = "", parent] = readStat(pid);
  return state === "" ? undefined : { pid, parent: Number(parent), isZombie: state === "Z" };
}

/** "" when there is no such process. */
function stateOf(pid: number): string {
  return readStat(pid)[0] ?? "";
}

/** The program's name stands in brackets and may contain anything, brackets too: what comes behind it. */
function readStat(pid: number): string[] {
  const text = readOr(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already, which is what was wanted.
  }
}
