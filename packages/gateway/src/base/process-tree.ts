// Signals a program and everything it started.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { statFieldsOf } from "./processes.ts";

/** Each leader was started as the head of its own process group and session. */
export function signalTree(leaders: readonly number[], signal: NodeJS.Signals): void {
  if (process.platform === "win32") return leaders.forEach(endWindowsTree);
  // A tree that is being killed may still be growing: look again until nothing new shows up.
  const seen = new Set<number>();
  for (let pass = 0; pass < 3; pass += 1) {
    const found = findMembers(leaders).filter((pid) => !seen.has(pid));
    if (pass > 0 && found.length === 0) return;
    if (pass === 0) for (const leader of leaders) signalQuietly(-leader, signal);
    for (const pid of found) {
      seen.add(pid);
      signalQuietly(pid, signal);
    }
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already, which is what was wanted.
  }
}

function endWindowsTree(pid: number): void {
  // By its whole path: a program of that name in the working directory would be found first.
  const system = process.env["SystemRoot"] ?? "C:\\Windows";
  const taskkill = `${system}\\System32\\taskkill.exe`;
  const options = { env: { SystemRoot: system }, stdio: "ignore", windowsHide: true } as const;
  spawn(taskkill, ["/pid", String(pid), "/t", "/f"], options).on("error", () => {});
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

/**
 * Programs may leave the group (an interactive shell gives each job its own) or even the session. Linux tells who
 * descends from whom; elsewhere the group has to do.
 */
function findMembers(leaders: readonly number[]): number[] {
  if (process.platform !== "linux") return [];
  const rows = readProcesses();
  const family = new Set(leaders);
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const row of rows) if (family.has(row.parent) || family.has(row.session)) family.add(row.pid);
  }
  return rows.map(({ pid }) => pid).filter((pid) => family.has(pid));
}

function readProcesses(): ProcessRow[] {
  return namesInProc().flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const row = readProcess(Number(name));
    return row ? [row] : [];
  });
}

/** None where it was taken away: then the group has to do, as it does elsewhere. */
function namesInProc(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

function readProcess(pid: number): ProcessRow | undefined {
  const [state, parent, , session] = statFieldsOf(pid) ?? [];
  return state === undefined || state === "Z" ? undefined : { pid, parent: Number(parent), session: Number(session) };
}
