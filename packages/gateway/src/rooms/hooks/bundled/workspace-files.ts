// Files of a workspace as a hook may read them: regular, text, and nowhere but inside.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isBelow } from "@chela/sdk/files";

const MOST_BYTES = 2 * 1024 * 1024;

/** Undefined for what is not there or must not be read. */
export function readInside(workspace: string, name: string): string | undefined {
  let file: number | undefined;
  try {
    const real = realpathSync(join(workspace, name));
    if (!isBelow(realpathSync(workspace), real)) return undefined;
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const bytes = readFileSync(file);
    return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
