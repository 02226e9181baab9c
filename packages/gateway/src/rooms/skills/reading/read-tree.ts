// Reads all files of a skill's folder: for their digest, for looking through them, and for a copy of exactly these bytes.
import { readTree as readFiles, type ReadTree } from "../../../base/files/read-tree.ts";

export { digestOf, hashesOf, type TreeFile } from "../../../base/files/read-tree.ts";

export const MOST_TREE_BYTES = 50 * 1024 * 1024;
export const MOST_TREE_FILES = 2000;
const RULES = {
  mostEntries: MOST_TREE_FILES,
  mostBytes: MOST_TREE_BYTES,
  passesBy: new Set([".git", ".clawhub", ".clawdhub", "node_modules", ".DS_Store"]),
  mayBeLink: true,
};

/** What cannot be read is told in a sentence. */
export function readTree(folder: string): ReadTree {
  const read = readFiles(folder, RULES);
  if (read.kind === "read") return read;
  return { kind: "refused", why: `${read.why.charAt(0).toUpperCase()}${read.why.slice(1)}.` };
}
