// Recognises folders made for Claude Code, Codex and Cursor, and what of them is of use here: skills, commands, MCP servers.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@chela/sdk/base";
import type { Bundle } from "./found.ts";
import { readJsonFile } from "./read-manifest.ts";

const MARKERS = [
  { of: "codex", file: ".codex-plugin/plugin.json" },
  { of: "claude", file: ".claude-plugin/plugin.json" },
  { of: "cursor", file: ".cursor-plugin/plugin.json" },
  { of: "agent-plugins", file: "plugin.json" },
] as const;

/** Parts of such folders that nobody here acts on. */
const UNUSED = ["agents", "hooks/hooks.json", "hooks", "output-styles", "rules", ".cursor/rules", ".lsp.json"];
const MOST = 200;

export interface BundleRead {
  readonly bundle: Bundle;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Undefined for a folder that is none. */
export function readBundle(root: string): BundleRead | undefined {
  for (const { of, file } of MARKERS) {
    const read = readJsonFile(join(root, file));
    if (read.kind === "read") return { bundle: contentOf(root, of), about: read.value };
  }
  const content = contentOf(root, "claude");
  const hasLayout = content.skills.length + content.commands.length + content.mcpServers.length > 0;
  return hasLayout ? { bundle: content, about: {} } : undefined;
}

function contentOf(root: string, of: Bundle["of"]): Bundle {
  const commandFolders = of === "cursor" ? [".cursor/commands", "commands"] : ["commands"];
  return {
    of,
    skills: namesIn(join(root, "skills")).flatMap((name) =>
      exists(join(root, "skills", name, "SKILL.md")) ? [`skills/${name}`] : [],
    ),
    commands: commandFolders.flatMap((folder) =>
      namesIn(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : [])),
    ),
    mcpServers: serversIn(root),
    unused: UNUSED.filter((name) => exists(join(root, name))).filter(
      (name, _at, all) => !all.includes(`${name}/hooks.json`),
    ),
  };
}

function serversIn(root: string): readonly string[] {
  const read = readJsonFile(join(root, ".mcp.json"));
  if (read.kind !== "read") return [];
  const servers = isObject(read.value["mcpServers"]) ? read.value["mcpServers"] : read.value;
  return Object.keys(servers).slice(0, MOST);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, MOST);
  } catch {
    return [];
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
