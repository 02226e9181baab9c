// Reads all files of a skill's folder: for their digest, for looking through them, and for a copy of exactly these bytes.
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Dirent,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { errnoOf, isBelow } from "@chela/sdk/files";

export interface TreeFile {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

export type ReadTree =
  | {
      readonly kind: "read";
      /** By path inside the folder, in order. */
      readonly files: ReadonlyMap<string, TreeFile>;
      /** Equal for equal files. */
      readonly digest: string;
    }
  | { readonly kind: "refused"; readonly why: string };

export const MOST_TREE_BYTES = 50 * 1024 * 1024;
export const MOST_TREE_FILES = 2000;
/** What is about a skill, and not part of it. */
const BESIDES: ReadonlySet<string> = new Set([".git", ".clawhub", ".clawdhub", "node_modules", ".DS_Store"]);

/** Links that lead out of the folder are refused. */
export function readTree(folder: string): ReadTree {
  try {
    const root = realpathSync(folder);
    const files = new Map<string, TreeFile>();
    let bytes = 0;
    for (const path of filesIn(root)) {
      const name = relative(root, path).split(sep).join("/");
      const file = readInside(root, path);
      if (!file) return { kind: "refused", why: `The file ${name} is a link that leads out of its folder.` };
      bytes += file.bytes.length;
      if (bytes > MOST_TREE_BYTES || files.size >= MOST_TREE_FILES) {
        return {
          kind: "refused",
          why: `It holds more than ${MOST_TREE_FILES} files or ${MOST_TREE_BYTES / 1024 ** 2} MB.`,
        };
      }
      files.set(name, file);
    }
    return { kind: "read", files, digest: treeDigest(hashesOf(files)) };
  } catch (error) {
    return { kind: "refused", why: `Its folder cannot be read (${errnoOf(error) ?? "unknown error"}).` };
  }
}

/** By path. */
export function hashesOf(files: ReadonlyMap<string, Pick<TreeFile, "bytes">>): Record<string, string> {
  const names = [...files.keys()].toSorted();
  const hashOf = (name: string) =>
    createHash("sha256")
      .update(files.get(name)?.bytes ?? "")
      .digest("hex");
  return Object.fromEntries(names.map((name) => [name, hashOf(name)]));
}

export function treeDigest(hashes: Readonly<Record<string, string>>): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(hashes).toSorted()) hash.update(`${JSON.stringify(name)} ${hashes[name]}\n`);
  return hash.digest("hex");
}

function* filesIn(folder: string): Generator<string> {
  const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    if (BESIDES.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/** Undefined for what does not lie in the folder, and for what is no file. */
function readInside(root: string, path: string): TreeFile | undefined {
  const real = realpathSync(path);
  if (!isBelow(root, real)) return undefined;
  // Never through a link that was put there meanwhile, and never waiting for a pipe.
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const bytes = stats.size > MOST_TREE_BYTES ? new Uint8Array(MOST_TREE_BYTES + 1) : readFileSync(file);
    return { bytes, isExecutable: (stats.mode & 0o100) !== 0 };
  } finally {
    closeSync(file);
  }
}
