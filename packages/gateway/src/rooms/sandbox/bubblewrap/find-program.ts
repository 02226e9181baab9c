// Finds programs of the system itself: by fixed places that only root can write to, never by a PATH.
import { realpathSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

const PLACES = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** Absolute path with links resolved; undefined when there is none that can be trusted. */
export function findProgram(name: string, places: readonly string[] = PLACES): string | undefined {
  for (const place of places) {
    const path = realPathOf(join(place, name));
    if (path !== undefined && isOfTheSystem(path)) return path;
  }
  return undefined;
}

/** Told at a glance: whether it works here is another question. */
export function isBubblewrapInstalled(): boolean {
  return process.platform === "linux" && findProgram("bwrap") !== undefined;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isOfTheSystem(path: string): boolean {
  const file = statSync(path);
  return file.isFile() && (file.mode & 0o111) !== 0 && isRootsAlone(file) && isRootsAlone(statSync(dirname(path)));
}

function isRootsAlone({ uid, mode }: Stats): boolean {
  return uid === 0 && (mode & 0o022) === 0;
}
