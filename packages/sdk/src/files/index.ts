// Files and folders: writes that are whole or not at all, whether a path lies in a folder, where programs are found.
export { createNewFile, errnoOf, writeFileAtomic } from "./files.ts";
export { isBelow, isInside } from "./inside.ts";
export { safeSearchPath } from "./search-path.ts";
