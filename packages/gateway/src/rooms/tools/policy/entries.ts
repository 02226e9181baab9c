// Entries of allow and deny lists: names, `*` globs and groups, and which tools they stand for.
import type { ToolFamily } from "@chela/sdk";
import type { ToolLists } from "./catalogue.ts";

/** What a policy looks at. */
export interface NamedTool {
  readonly name: string;
  readonly family: ToolFamily;
  readonly plugin?: { readonly id: string };
}

const GROUP = "group:";

/** Names of ours that other gateways and many models use. In lists and in calls they mean the same tool. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([["bash", "exec"]]);

/** The name under which a tool is kept, whatever it was called by. */
export function ownName(called: string): string {
  return OTHER_NAMES.get(called) ?? called;
}

/** The spelling in which policies compare names: without case, and older names as today's. */
export function policyName(name: string): string {
  const plain = name.trim().toLowerCase();
  return plain === "apply-patch" ? "apply_patch" : ownName(plain);
}

/** `entry` and the tool's name must be in the spelling of `policyName`. */
export function matchesEntry(entry: string, tool: NamedTool, lists: ToolLists): boolean {
  if (entry.startsWith(GROUP)) return isInGroup(entry.slice(GROUP.length), tool, lists);
  return matchesGlob(entry, policyName(tool.name)) || isOfPlugin(entry, tool);
}

/** Whether an entry means this tool, its plugin, or the tools of all plugins; not one that means everything. */
export function namesPluginTool(entry: string, tool: NamedTool): boolean {
  return entry === `${GROUP}plugins` || entry === policyName(tool.name) || isOfPlugin(entry, tool);
}

function isOfPlugin(entry: string, { plugin }: NamedTool): boolean {
  return plugin !== undefined && entry === plugin.id.toLowerCase();
}

/** Whether an entry stands for at least one built-in tool, installed or not. */
export function namesBuiltIn(entry: string, lists: ToolLists): boolean {
  return lists.families.entries().some(([name, family]) => matchesEntry(entry, { name, family }, lists));
}

export function isBuiltIn(tool: NamedTool, { families }: ToolLists): boolean {
  return families.has(policyName(tool.name));
}

function isInGroup(group: string, tool: NamedTool, { families }: ToolLists): boolean {
  const family = families.get(policyName(tool.name));
  if (group === "openclaw") return family !== undefined;
  if (group === "plugins") return family === undefined;
  return group === tool.family || group === family;
}

/** `*` stands for any characters. Written out because a regular expression of many stars can take forever. */
function matchesGlob(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop() ?? "";
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let at = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
