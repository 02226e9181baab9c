// Checks whether a file would really lie in a folder, whatever links are on the way to it.
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isBelow } from "@chela/sdk/files";

/** What does not exist yet is judged by the nearest folder that does. */
export function liesInside(folder: string, file: string): boolean {
  const root = realPlace(resolve(folder));
  // The file itself is replaced, not followed.
  const place = join(realPlace(dirname(resolve(file))), basename(file));
  return isBelow(root, place);
}

function realPlace(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPlace(parent), basename(path));
}
