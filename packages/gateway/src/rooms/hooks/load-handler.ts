// Loads a hook's handler out of a private copy of exactly those files that may run. A new version is a new copy, and so a
// new module; nothing that is written into the hook's folder meanwhile can become part of it.
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { GatewayError, type HookHandler } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { rulesFor } from "./discover.ts";
import { MODULES, readFolder } from "./read-folder.ts";
import type { KnownHook } from "./known-hooks.ts";

export async function loadHandler(hook: KnownHook, stateDir: string): Promise<HookHandler> {
  const { directory, handler, manifest, digest, name } = hook;
  if (directory === undefined || handler === undefined || !manifest || digest === undefined) {
    throw new TypeError(`hook ${name} has no files`);
  }
  const copy = copyOf(hook, directory, digest, stateDir);
  const module = (await import(/* @vite-ignore */ pathToFileURL(join(copy, handler)).href)) as Record<string, unknown>;
  const found = module[manifest.exportName];
  if (typeof found !== "function") {
    const wanted = manifest.exportName === "default" ? "default export" : `export named ${manifest.exportName}`;
    throw new GatewayError("HOOK_REQUEST", `${handler} of the hook ${name} has no ${wanted} that is a function.`);
  }
  return found as HookHandler;
}

function copyOf(hook: KnownHook, directory: string, digest: string, stateDir: string): string {
  const rules = rulesFor(hook);
  const read = readFolder(directory, rules);
  if (read.kind === "refused" || read.digest !== digest) {
    throw new GatewayError("HOOK_REQUEST", `The files of the hook ${hook.name} changed while it was being loaded.`);
  }
  const copies = join(stateDir, "hooks", ".loaded");
  const copy = join(copies, `${hook.name}-${digest.slice(0, 16)}`);
  for (const [path, content] of read.files) writeFileAtomic(join(copy, path), content);
  if (!read.files.has("package.json")) writeFileAtomic(join(copy, "package.json"), moduleKind(read.files));
  if (rules.skipsModules) linkLibraries(join(directory, MODULES), join(copy, MODULES));
  forgetOlder(copies, hook.name, copy);
  return copy;
}

/** Said outright, since Node would look into folders above and guess. */
function moduleKind(files: ReadonlyMap<string, Uint8Array>): string {
  const isModern = [...files].some(
    ([path, content]) => /\.[jt]s$/.test(path) && /^\s*(?:import|export)\b/m.test(Buffer.from(content).toString()),
  );
  return `${JSON.stringify({ private: true, type: isModern ? "module" : "commonjs" })}\n`;
}

function linkLibraries(from: string, to: string): void {
  try {
    symlinkSync(from, to, "junction");
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

function forgetOlder(copies: string, name: string, current: string): void {
  const isOlder = (folder: string): boolean =>
    folder.slice(0, -17) === name && /-[0-9a-f]{16}$/.test(folder) && join(copies, folder) !== current;
  for (const folder of readdirSync(copies).filter(isOlder)) rmSync(join(copies, folder), { recursive: true });
}
