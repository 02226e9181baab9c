// Measures a folder that somebody else fills, and may want to hide something in.
import { lstatSync, type Stats } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "@chela/sdk/files";

export interface FolderSize {
  readonly bytes: number;
  readonly files: number;
}

/** What cannot be looked at counts as this. */
const BEYOND: FolderSize = { bytes: Infinity, files: Infinity };
const BLOCK = 512;
/** Names are read in so many at a time; between them others get their turn. */
const BATCH = 256;

/** Stops counting at `most`. A folder that is not there is empty. */
export async function measureFolder(folder: string, most: FolderSize): Promise<FolderSize> {
  let [bytes, files] = [0, 0];
  const linked = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    try {
      for await (const { name } of await opendir(next, { bufferSize: BATCH })) {
        const path = join(next, name);
        const found = look(path);
        if (!found) continue;
        files += 1;
        if (isFirstName(found, linked)) bytes += found.blocks * BLOCK;
        if (bytes > most.bytes || files > most.files) return { bytes, files };
        if (found.isDirectory()) waiting.push(path);
      }
    } catch (error) {
      if (isHiding(error, next)) return BEYOND;
    }
  }
  return { bytes, files };
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** A file with several names takes its place once. */
function isFirstName(found: Stats, linked: Set<string>): boolean {
  const { nlink, dev, ino } = found;
  if (nlink === 1 || found.isDirectory()) return true;
  const identity = `${dev}:${ino}`;
  if (linked.has(identity)) return false;
  linked.add(identity);
  return true;
}

/** Folders that are too deep for their names, or that were closed by whoever is inside, who has our own number. */
function isHiding(error: unknown, folder: string): boolean {
  const code = errnoOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return false;
  return code !== "EACCES" || look(folder)?.uid === process.getuid?.();
}
