// Finds the file that an import of a plugin means: with another ending, without one, or the index of a folder.
import { statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";

const ENDINGS = [".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".tsx", ".jsx", ".json"];
/** Written for what is compiled, while the source is there. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".mjs": [".mts", ".ts"],
  ".cjs": [".cts", ".ts"],
  ".jsx": [".tsx"],
};

/** `specifier` is relative or absolute. Undefined where there is no such file. */
export function findModule(specifier: string, from: string): string | undefined {
  const path = resolve(dirname(from), specifier);
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  const others = (SOURCES[extension] ?? []).map((ending) => stem + ending);
  const candidates = [path, ...others, ...ENDINGS.map((ending) => path + ending), ...indexes(path)];
  return candidates.find(isFile);
}

function indexes(folder: string): string[] {
  return ENDINGS.map((ending) => join(folder, `index${ending}`));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Not there, or not to be seen.
    return false;
  }
}
