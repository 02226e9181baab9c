// Finds entries of tool lists that stand for no tool at all: mostly typing mistakes, which would else go unnoticed.
import type { ToolLists } from "./catalogue.ts";
import { matchesEntry, namesBuiltIn, type NamedTool } from "./entries.ts";
import type { ListLayer } from "./layers.ts";

/** Sentences such as `tools.allow names "raed", but there is no such tool`. */
export function unknownEntries(
  layers: readonly ListLayer[],
  tools: readonly NamedTool[],
  lists: ToolLists,
): readonly string[] {
  const isKnown = (entry: string): boolean =>
    ["group:plugins", "group:mcp", "bundle-mcp"].includes(entry) ||
    lists.ownerOnly.has(entry) ||
    namesBuiltIn(entry, lists) ||
    tools.some((tool) => matchesEntry(entry, tool, lists));
  return layers
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => (rule.kind === "lists" ? [rule.allow, rule.deny] : []))
    .flatMap((list) => list?.entries.map((entry) => ({ entry, origin: list.origin })) ?? [])
    .filter(({ entry }) => !isKnown(entry))
    .map(({ entry, origin }) => `${origin} names "${entry}", but there is no such tool`);
}
