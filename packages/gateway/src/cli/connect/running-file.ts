// A note of the running gateway about itself, so that clients find it on whatever port it was started.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "@chela/sdk/files";
import { isAlive } from "../../base/processes.ts";
import { whereWeAre } from "../../base/where.ts";
import { readIfPresent } from "./known-settings.ts";

export interface RunningNote {
  readonly pid: number;
  /** As it stands in a URL. */
  readonly host: string;
  readonly port: number;
  /** Only when they were given for this run alone; the file is private. */
  readonly token?: string;
  readonly password?: string;
}

const FILE = "gateway-running.json";

export function writeRunningNote(stateDir: string, note: RunningNote): void {
  writeFileAtomic(join(stateDir, FILE), `${JSON.stringify({ ...note, where: whereWeAre() })}\n`);
}

/** One that cannot be removed does no harm: whoever reads it looks whether its process lives. */
export function removeRunningNote(stateDir: string): void {
  try {
    rmSync(join(stateDir, FILE), { force: true });
  } catch {
    // The directory cannot be written any more.
  }
}

/** Undefined when there is none, when the process that wrote it is gone, or when its number and port mean nothing here. */
export function readRunningNote(stateDir: string): RunningNote | undefined {
  try {
    const note = JSON.parse(readIfPresent(join(stateDir, FILE)) ?? "null") as
      | (Partial<RunningNote> & { readonly where?: string })
      | null;
    if (typeof note?.pid !== "number" || typeof note.port !== "number" || typeof note.host !== "string")
      return undefined;
    if (note.where !== undefined && note.where !== whereWeAre()) return undefined;
    return isAlive(note.pid) ? (note as RunningNote) : undefined;
  } catch {
    return undefined;
  }
}
