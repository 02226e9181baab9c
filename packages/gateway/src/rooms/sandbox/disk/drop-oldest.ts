// Makes room in a folder of which only one part is used any more.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes what nobody has changed for the longest time; false when there is nothing else, or it does not let itself be removed. */
export async function dropOldest(folder: string, inUse: string): Promise<boolean> {
  try {
    const paths = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== inUse);
    const found = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
    const [oldest] = found.toSorted((one, other) => one.at - other.at);
    if (!oldest) return false;
    await rm(oldest.path, { recursive: true, force: true });
    return true;
  } catch {
    // Whoever was in there may have closed its folders; then it counts for as long as the owner leaves it there.
    return false;
  }
}
