// Teaches Node to load plugins as they are published: types below node_modules too, loose paths, and OpenClaw's package names.
import { readFileSync } from "node:fs";
import { createRequire, registerHooks, type LoadHookSync, type ResolveHookSync } from "node:module";
import { dirname, extname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findModule } from "./find-module.ts";
import { readModule, TYPED } from "./read-module.ts";
import { isSdk, isSdkUrl, sdkSource, sdkUrl } from "./sdk-module.ts";

/** Folders of the plugins of this process. */
const roots: string[] = [];

/** From now on modules below `root` are loaded like this; everything else as always. */
export function installLoader(root: string): void {
  if (roots.length === 0) registerHooks({ resolve, load });
  roots.push(root);
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const from = parentOf(context.parentURL);
  const root = from === undefined ? undefined : rootOf(from);
  if (from === undefined || root === undefined) return next(specifier, context);
  const isRequired = context.conditions.includes("require");
  if (isSdk(specifier)) {
    return { url: sdkUrl(specifier, from, isRequired), format: isRequired ? "commonjs" : "module", shortCircuit: true };
  }
  const path = pathOf(specifier);
  if (path !== undefined) {
    const found = findModule(path, from);
    if (found !== undefined) return { url: pathToFileURL(found).href, shortCircuit: true };
    return next(specifier, context);
  }
  return bare(specifier, from, () => next(specifier, context));
};

/** A package, or a file of one that is named without its ending. */
function bare(specifier: string, from: string, usual: () => ReturnType<ResolveHookSync>): ReturnType<ResolveHookSync> {
  try {
    return usual();
  } catch (error) {
    const file = findInPackage(specifier, from);
    if (file === undefined) throw error;
    return { url: pathToFileURL(file).href, shortCircuit: true };
  }
}

function findInPackage(specifier: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    const root = rootOf(from);
    for (let folder = dirname(from); root !== undefined && isBelow(root, folder); folder = dirname(folder)) {
      const found = findModule(join(folder, "node_modules", specifier), from);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const load: LoadHookSync = (url, context, next) => {
  if (isSdkUrl(url)) return { ...sdkSource(url), shortCircuit: true };
  if (!url.startsWith("file:")) return next(url, context);
  const path = fileURLToPath(url);
  const root = rootOf(path);
  if (root === undefined) return next(url, context);
  const extension = extname(path);
  if (extension === ".json") {
    const isUsual = context.importAttributes?.["type"] === "json" || context.conditions?.includes("require") === true;
    return isUsual ? next(url, context) : dataModule(path);
  }
  const isOwn = !relative(root, path).split(sep).includes("node_modules");
  if (!TYPED.has(extension) && !(isOwn && [".js", ".mjs", ".cjs", ".jsx"].includes(extension)))
    return next(url, context);
  const { format, source } = readModule(path, typeOfPackage(path, root));
  return { format, source, shortCircuit: true };
};

/** Many import a file of data without saying that it is one. */
function dataModule(path: string): ReturnType<LoadHookSync> {
  const source = `export default ${JSON.stringify(JSON.parse(readFileSync(path, "utf8")))};`;
  return { format: "module", source, shortCircuit: true };
}

function typeOfPackage(path: string, root: string): "module" | "commonjs" | undefined {
  for (let folder = dirname(path); isBelow(root, folder); folder = dirname(folder)) {
    const type = readType(join(folder, "package.json"));
    if (type !== "none") return type;
  }
  return undefined;
}

function readType(path: string): "module" | "commonjs" | undefined | "none" {
  try {
    const { type } = JSON.parse(readFileSync(path, "utf8")) as { type?: unknown };
    return type === "module" || type === "commonjs" ? type : undefined;
  } catch {
    return "none";
  }
}

function parentOf(url: string | undefined): string | undefined {
  return url?.startsWith("file:") ? fileURLToPath(url) : undefined;
}

function pathOf(specifier: string): string | undefined {
  if (specifier.startsWith("file:")) return fileURLToPath(specifier);
  const isPath = specifier.startsWith("./") || specifier.startsWith("../") || specifier === "." || specifier === "..";
  return isPath || isAbsolute(specifier) ? specifier : undefined;
}

function rootOf(path: string): string | undefined {
  return roots.find((root) => isBelow(root, path));
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
