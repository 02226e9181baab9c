// Other processes of this machine: whether one lives, and since when.
import { readFileSync } from "node:fs";
import { errnoOf } from "@chela/sdk/files";

/** Whether there is a process with this number on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It exists but belongs to somebody else.
    return errnoOf(error) === "EPERM";
  }
  // A process that ended but was never collected by its parent holds nothing any more.
  return statFieldsOf(pid)?.[0] !== "Z";
}

/** In the system's own unit; undefined where that cannot be known. */
export function startTimeOf(pid: number): number | undefined {
  const field = statFieldsOf(pid)?.[19];
  return field === undefined ? undefined : Number(field);
}

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces and parentheses. Undefined without one. */
export function statFieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
