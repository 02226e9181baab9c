// Tells whether a path lies in a folder: the one check that everything relies on which keeps to a folder.
import { isAbsolute, relative, sep } from "node:path";

/** The folder itself, or something in it. Both are absolute. Nothing is looked up: whoever may meet links resolves them first. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Something in the folder, and not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  return relative(folder, path) !== "" && isInside(folder, path);
}
