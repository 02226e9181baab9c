// Files that are either the old version or the new one, never something between.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";

/** Writes beside the target, flushes, renames over it. The file is private (0600) unless told otherwise. */
export function writeFileAtomic(path: string, data: string | Uint8Array, mode = 0o600): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const file = openSync(temporary, "wx", mode);
  try {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } catch (error) {
    closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  }
  closeSync(file);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushDirectory(directory);
}

/** False when it is there already. One that could not be written, as on a full disk, is not left behind empty. */
export function createNewFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    rmSync(path, { force: true });
    throw error;
  }
}

/** Makes a rename survive a power cut. Some file systems refuse to open a directory; they flush by themselves. */
function flushDirectory(directory: string): void {
  let handle: number;
  try {
    handle = openSync(directory, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } catch {
    // Not supported here: the rename itself is already atomic.
  } finally {
    closeSync(handle);
  }
}

/** The code of a system error such as ENOENT, or undefined. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
