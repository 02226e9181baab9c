// Files the gateway was started with, and that every child of it would have open as well.
import { readdirSync, readFileSync } from "node:fs";

/** Set on what is closed when another program is started. */
const CLOSE_ON_EXEC = 0o2000000;
const LAST_OF_ONE_DIGIT = 9;

/** Beyond those that any shell can close. Node marks the first sixteen itself, but not those after a gap. */
export function hasStrayFiles(): boolean {
  return readdirSync("/proc/self/fd").some((name) => Number(name) > LAST_OF_ONE_DIGIT && isInherited(name));
}

function isInherited(name: string): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
