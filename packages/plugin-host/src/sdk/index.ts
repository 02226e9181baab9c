// What `openclaw/plugin-sdk` and the modules below it hold: names by module, and the root, which every module has as well.
import { ROOT } from "./root.ts";

type Names = Readonly<Record<string, unknown>>;

/** Modules with names that the root does not have, by what stands behind `openclaw/`. */
const MODULES: Readonly<Record<string, Names>> = {};

/** Plugins import the same names from many places; what a module does not have of its own is that of the root. */
export function sdkNames(subpath: string): Names {
  const own = Object.hasOwn(MODULES, subpath) ? MODULES[subpath] : undefined;
  return own ? { ...ROOT, ...own } : ROOT;
}
