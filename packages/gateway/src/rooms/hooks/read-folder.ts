// Reads all files of a hook's folder, so that exactly what was looked at is what runs. Links that lead out are refused.
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Dirent,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { errnoOf, isBelow } from "@chela/sdk/files";

export const MODULES = "node_modules";
/** Files and folders. */
const MOST_ENTRIES = 500;
const MOST_BYTES = 8 * 1024 * 1024;

export type ReadFolder =
  | {
      readonly kind: "read";
      /** By path inside the folder, in order. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      /** Equal for equal files. */
      readonly digest: string;
    }
  | { readonly kind: "refused"; readonly why: string };

export interface FolderRules {
  /** Libraries that an owner installed beside the hook are used where they are. */
  readonly skipsModules: boolean;
}

export function readFolder(folder: string, rules: FolderRules): ReadFolder {
  try {
    if (lstatSync(folder).isSymbolicLink()) return refused("its folder is a link; put the files themselves there");
    const files = new Map<string, Uint8Array>();
    let bytes = 0;
    for (const path of filesIn(folder, rules)) {
      const name = relative(folder, path).split(sep).join("/");
      const content = readInside(folder, path);
      if (content === undefined) return refused(`the file ${name} is a link that leads out of its folder`);
      bytes += content.length;
      files.set(name, content);
      if (bytes > MOST_BYTES) throw new TooMuch();
    }
    return { kind: "read", files, digest: digestOf(files) };
  } catch (error) {
    if (error instanceof TooMuch) {
      return refused(`its folder holds more than ${MOST_ENTRIES} files or ${MOST_BYTES / 1024 / 1024} MB`);
    }
    return refused(`its folder cannot be read (${errnoOf(error) ?? "unknown error"})`);
  }
}

/** Changes whenever a file of the folder is written, added or removed, or the folder is another; "" when there is none. */
export function stampFolder(folder: string, rules: FolderRules): string {
  try {
    const stamps = [...filesIn(folder, rules)].map((path) => {
      const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
      return [path, ino, size, mtimeNs, ctimeNs].join(":");
    });
    return [lstatSync(folder, { bigint: true }).ino, ...stamps].join("\n");
  } catch {
    return "";
  }
}

class TooMuch extends Error {}

function* filesIn(folder: string, rules: FolderRules, budget = { left: MOST_ENTRIES }): Generator<string> {
  const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    if (entry.name === MODULES && rules.skipsModules) continue;
    if ((budget.left -= 1) < 0) throw new TooMuch();
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, rules, budget);
    else yield path;
  }
}

/** Undefined for what does not lie in the folder, and for what is no file. */
function readInside(folder: string, path: string): Uint8Array | undefined {
  const root = realpathSync(folder);
  const real = realpathSync(path);
  if (!isBelow(root, real)) return undefined;
  // Never through a link that was put there meanwhile, and never waiting for a pipe.
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    return stats.size > MOST_BYTES ? new Uint8Array(MOST_BYTES + 1) : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function digestOf(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash("sha256");
  for (const [name, content] of files) {
    const own = createHash("sha256").update(content).digest("hex");
    hash.update(`${JSON.stringify(name)} ${own}\n`);
  }
  return hash.digest("hex");
}

function refused(why: string): ReadFolder {
  return { kind: "refused", why };
}
