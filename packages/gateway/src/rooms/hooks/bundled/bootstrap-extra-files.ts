// The hook `bootstrap-extra-files`: more files of the workspace for the agent, as the owner's patterns say.
import { globSync } from "node:fs";
import { basename, isAbsolute, join, sep } from "node:path";
import type { BootstrapFile, HookEvent, HookSelf } from "@chela/sdk";
import { readInside } from "./workspace-files.ts";

const MOST_FILES = 50;
/** What is remembered of the agent's own person: nothing for groups, jobs and sub-agents. */
const PRIVATE: ReadonlySet<string> = new Set(["memory.md", "heartbeat.md", "bootstrap.md"]);

export function bootstrapExtraFiles(event: HookEvent, { settings, log }: HookSelf): void {
  if (event.type !== "agent" || event.action !== "bootstrap") return;
  const { workspaceDir, bootstrapFiles, fileSet } = event.context;
  // What is asked often and should cost little stays as it is.
  if (fileSet === "light") return;
  const given = new Set(bootstrapFiles.map(({ path }) => path));
  for (const pattern of patternsOf(settings)) {
    if (!isInside(pattern)) {
      log.warn("a path of bootstrap-extra-files leads out of the workspace and is left out", { path: pattern });
      continue;
    }
    for (const name of globSync(pattern, { cwd: workspaceDir }).sort().slice(0, MOST_FILES)) {
      const path = join(workspaceDir, name);
      if (given.has(path) || (fileSet !== "full" && isPrivate(name))) continue;
      const content = readInside(workspaceDir, name);
      if (content === undefined || content.trim() === "") continue;
      given.add(path);
      bootstrapFiles.push({ name: name.split(sep).join("/"), path, content } satisfies BootstrapFile);
    }
  }
}

/** `paths`, or one of the two names other versions know it by. */
function patternsOf({ paths, patterns, files }: HookSelf["settings"]): string[] {
  const written = paths ?? patterns ?? files;
  const list = Array.isArray(written) ? written : [written];
  return list.filter((one): one is string => typeof one === "string" && one.trim() !== "");
}

function isInside(pattern: string): boolean {
  return !isAbsolute(pattern) && !pattern.split(/[/\\]/).includes("..");
}

function isPrivate(name: string): boolean {
  return PRIVATE.has(basename(name).toLowerCase()) || /^memory[/\\]/.test(name);
}
