// Finds the module of a plugin: what was compiled before what it was written in, and what was meant where that is missing.
import { basename, extname, join, resolve } from "node:path";
import { statSync } from "node:fs";
import { isObject } from "@chela/sdk/base";
import { isBelow } from "@chela/sdk/files";
import { textsOf } from "./read-manifest.ts";

export const MODULE_ENDINGS = [".ts", ".js", ".mts", ".mjs", ".cts", ".cjs"];
const INDEXES = ["index.ts", "index.js", "index.mjs", "index.cjs", "index.mts", "index.cts"];

export interface PluginEntry {
  /** Absolute. */
  readonly path: string;
  /** Of a package with several plugins: what stands behind the slash of its id. */
  readonly member?: string;
}

/** `openclaw` of a package.json. */
export function packagePart(pack: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> {
  for (const key of ["openclaw", "clawdbot", "moltbot"]) if (isObject(pack?.[key])) return pack[key];
  return {};
}

/** Whether a package.json is one of a plugin. */
export function isPluginPackage(pack: Readonly<Record<string, unknown>> | undefined): boolean {
  return textsOf(packagePart(pack)["extensions"]).length > 0;
}

export type Entries =
  | { readonly kind: "found"; readonly entries: readonly PluginEntry[] }
  | { readonly kind: "missing"; readonly looked: string };

export function findEntries(
  root: string,
  pack: Readonly<Record<string, unknown>> | undefined,
  manifest: Readonly<Record<string, unknown>> | undefined,
): Entries {
  const part = packagePart(pack);
  const compiled = textsOf(part["runtimeExtensions"]);
  const written = textsOf(part["extensions"]);
  const count = Math.max(compiled.length, written.length);
  if (count === 0) {
    const named = [manifest?.["entry"], manifest?.["main"], manifest?.["entryPoint"], pack?.["main"]].flatMap(textsOf);
    const found = [...INDEXES, ...named, "dist/index.js", "dist/index.mjs", "src/index.ts"]
      .map((name) => inside(root, name))
      .find((path) => path !== undefined && isFile(path));
    return found ? { kind: "found", entries: [{ path: found }] } : { kind: "missing", looked: INDEXES.join(", ") };
  }
  const entries: PluginEntry[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = written[at] ?? compiled[at] ?? "";
    const path = [compiled[at], name, ...guesses(name)]
      .flatMap((one) => (one === undefined ? [] : (inside(root, one) ?? [])))
      .flatMap(asFile)[0];
    if (path === undefined) return { kind: "missing", looked: name };
    const stem = basename(name).replace(/\.[a-z]+$/, "");
    const member = stem === "index" ? (name.split("/").at(-2) ?? stem) : stem;
    entries.push(count > 1 ? { path, member } : { path });
  }
  return { kind: "found", entries };
}

/** Published packages name the source, and have only what was made of it. */
function guesses(name: string): string[] {
  const plain = name.replace(/^\.\//, "");
  const stem = plain.slice(0, plain.length - extname(plain).length);
  const bare = stem.replace(/^src\//, "");
  return [bare, stem]
    .flatMap((one) => [".js", ".mjs", ".cjs"].map((ending) => `dist/${one}${ending}`))
    .concat([".js", ".mjs", ".cjs"].map((ending) => stem + ending));
}

/** Undefined for what does not lie in the folder. */
function inside(root: string, name: string): string | undefined {
  const path = resolve(root, name);
  return isBelow(root, path) ? path : undefined;
}

function asFile(path: string): string[] {
  if (isFile(path)) return [path];
  return [...MODULE_ENDINGS.map((ending) => path + ending), ...INDEXES.map((name) => join(path, name))]
    .filter(isFile)
    .slice(0, 1);
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
