// Tells how a program was installed here, by where its files lie.
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";

export type InstalledAs =
  /** The working copy of a repository. */
  | { readonly kind: "clone"; readonly root: string }
  /** By npm, for everybody, or for the project in `root`. */
  | { readonly kind: "global" }
  | { readonly kind: "local"; readonly root: string }
  | { readonly kind: "unknown" };

/** `directory` is where the program's own files are. */
export function installedAs(directory: string): InstalledAs {
  const within = directory.split(sep).indexOf("node_modules");
  if (within > 0) {
    const root = directory.split(sep).slice(0, within).join(sep);
    return existsSync(join(root, "package.json")) ? { kind: "local", root } : { kind: "global" };
  }
  for (let place = directory; ; place = dirname(place)) {
    // A file in worktrees.
    if (existsSync(join(place, ".git"))) return { kind: "clone", root: place };
    if (place === dirname(place)) return { kind: "unknown" };
  }
}
