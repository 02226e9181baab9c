// Finds packages that need not be there: beside the gateway, or in a folder the owner installed them into.
import { createRequire } from "node:module";
import { join } from "node:path";

/** Of its main file; undefined where it is not installed. `folders` are looked at after the gateway's own. */
export function findPackage(name: string, folders: readonly string[] = []): string | undefined {
  for (const place of [import.meta.url, ...folders.map((folder) => join(folder, "package.json"))]) {
    try {
      return createRequire(place).resolve(name);
    } catch {
      // Not there; the next place may have it.
    }
  }
  return undefined;
}
