// The names an index has on the disk, with all that lies beside it, and how they are removed when its agent is.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The index of OpenClaw that ours was made from. It was not made by us, so it is kept for whoever wants to go back. */
export const foreignIndexOf = (indexPath: string): string => `${indexPath}.openclaw`;

const SIDES = ["", "-wal", "-shm", "-journal", ".is-damaged"];

/**
 * The index, what SQLite has beside it, and copies that were set aside: all of it is derived, so nothing is lost.
 * Returns what lies there and is not ours.
 */
export function removeIndexFiles(indexPath: string): string | undefined {
  const folder = dirname(indexPath);
  if (!existsSync(folder)) return undefined;
  const name = basename(indexPath);
  const ours = new Set([name, `${name}.new`].flatMap((file) => SIDES.map((side) => file + side)));
  for (const found of readdirSync(folder)) {
    if (ours.has(found) || found.startsWith(`${name}.damaged-`)) rmSync(join(folder, found), { force: true });
  }
  return existsSync(foreignIndexOf(indexPath)) ? foreignIndexOf(indexPath) : undefined;
}
