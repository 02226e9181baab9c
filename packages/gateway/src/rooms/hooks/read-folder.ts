// Reads all files of a hook's folder, so that exactly what was looked at is what runs.
import { readTree, stampTree, type TreeRules } from "../../base/files/read-tree.ts";

export const MODULES = "node_modules";

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
  const read = readTree(folder, treeRules(rules));
  if (read.kind === "refused") return read;
  return { ...read, files: new Map([...read.files].map(([name, { bytes }]) => [name, bytes])) };
}

/** Changes whenever a file of the folder is written, added or removed, or the folder is another; "" when there is none. */
export function stampFolder(folder: string, rules: FolderRules): string {
  return stampTree(folder, treeRules(rules));
}

function treeRules({ skipsModules }: FolderRules): TreeRules {
  return { mostEntries: 500, mostBytes: 8 * 1024 * 1024, passesBy: new Set(skipsModules ? [MODULES] : []) };
}
