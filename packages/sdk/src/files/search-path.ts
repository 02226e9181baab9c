// The PATH a child process gets: where programs are found by name must be a place that the operator fills.
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { isInside } from "./inside.ts";

/** Without relative directories, which mean another place for every child, and without any in `closed`. */
export function safeSearchPath(path: string, closed: readonly string[] = []): string {
  const shut = closed.map(followed);
  const isOpen = (directory: string): boolean => {
    const real = followed(directory);
    return !shut.some((folder) => isInside(folder, real));
  };
  return path
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && isOpen(directory))
    .join(delimiter);
}

function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there, so nothing can be found in it.
    return path;
  }
}
