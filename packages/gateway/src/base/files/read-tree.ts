// Reads all files of a folder, so that exactly what was looked at is what is used. Links that lead out are refused.
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
  /** Half a sentence. */
  | { readonly kind: "refused"; readonly why: string };

export interface TreeRules {
  /** Files and folders. */
  readonly mostEntries: number;
  readonly mostBytes: number;
  /** Names of what lies there and is no part of it. */
  readonly passesBy: ReadonlySet<string>;
  /** The folder itself is reached through a link of its owner's. */
  readonly mayBeLink?: boolean;
}

export function readTree(folder: string, rules: TreeRules): ReadTree {
  try {
    if (!rules.mayBeLink && lstatSync(folder).isSymbolicLink()) {
      return refused("its folder is a link; put the files themselves there");
    }
    const root = realpathSync(folder);
    const files = new Map<string, TreeFile>();
    let bytes = 0;
    for (const path of filesIn(root, rules)) {
      const name = relative(root, path).split(sep).join("/");
      const file = readInside(root, path, rules.mostBytes);
      if (file === undefined) return refused(`the file ${name} is a link that leads out of its folder`);
      bytes += file.bytes.length;
      files.set(name, file);
      if (bytes > rules.mostBytes) throw new TooMuch();
    }
    return { kind: "read", files, digest: digestOf(hashesOf(files)) };
  } catch (error) {
    if (error instanceof TooMuch) {
      return refused(`its folder holds more than ${rules.mostEntries} files or ${rules.mostBytes / 1024 / 1024} MB`);
    }
    return refused(`its folder cannot be read (${errnoOf(error) ?? "unknown error"})`);
  }
}

/** Changes whenever a file of the folder is written, added or removed, or the folder is another; "" when there is none. */
export function stampTree(folder: string, rules: TreeRules): string {
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

/** By path. */
export function hashesOf(files: ReadonlyMap<string, Pick<TreeFile, "bytes">>): Record<string, string> {
  const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  return Object.fromEntries([...files].map(([name, { bytes }]) => [name, hashOf(bytes)]));
}

/** In the order of the names, wherever the files came from. */
export function digestOf(hashes: Readonly<Record<string, string>>): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(hashes).toSorted(asWalked)) hash.update(`${JSON.stringify(name)} ${hashes[name]}\n`);
  return hash.digest("hex");
}

/** Folder by folder, as a walk meets them. */
function asWalked(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const at = a.findIndex((part, index) => part !== b[index]);
  return (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}

class TooMuch extends Error {}

function* filesIn(folder: string, rules: TreeRules, budget = { left: rules.mostEntries }): Generator<string> {
  const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    if (rules.passesBy.has(entry.name)) continue;
    if ((budget.left -= 1) < 0) throw new TooMuch();
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, rules, budget);
    else yield path;
  }
}

/** Undefined for what does not lie in the folder, and for what is no file. */
function readInside(root: string, path: string, mostBytes: number): TreeFile | undefined {
  const real = realpathSync(path);
  if (!isBelow(root, real)) return undefined;
  // Never through a link that was put there meanwhile, and never waiting for a pipe.
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const bytes = stats.size > mostBytes ? new Uint8Array(mostBytes + 1) : readFileSync(file);
    return { bytes, isExecutable: (stats.mode & 0o100) !== 0 };
  } finally {
    closeSync(file);
  }
}

function refused(why: string): ReadTree {
  return { kind: "refused", why };
}
