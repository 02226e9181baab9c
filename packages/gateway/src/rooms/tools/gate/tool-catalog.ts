// The catalogue of tools as clients show it: by family, with the profiles that include each tool.
import { TOOL_FAMILIES, TOOL_PROFILES, type Tool, type ToolFamily, type ToolProfile } from "@chela/sdk";
import { FAMILY_LABELS, inToldOrder, type ToolLists } from "../policy/catalogue.ts";

interface CatalogTool {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly source: "core" | "plugin";
  readonly defaultProfiles: readonly ToolProfile[];
}

export interface ToolCatalog {
  readonly agentId: string;
  readonly profiles: readonly { readonly id: ToolProfile; readonly label: string }[];
  readonly groups: readonly {
    readonly id: ToolFamily;
    readonly label: string;
    readonly source: "core" | "plugin";
    readonly tools: readonly CatalogTool[];
  }[];
}

const PROFILE_LABELS: Readonly<Record<ToolProfile, string>> = {
  minimal: "Minimal",
  coding: "Coding",
  messaging: "Messaging",
  full: "Full",
};

export function catalogOf(agentId: string, tools: readonly Tool[], lists: ToolLists): ToolCatalog {
  return {
    agentId,
    profiles: TOOL_PROFILES.map((id) => ({ id, label: PROFILE_LABELS[id] })),
    groups: TOOL_FAMILIES.flatMap((id) => {
      const members = inToldOrder(tools.filter(({ family }) => family === id));
      if (members.length === 0) return [];
      return [
        {
          id,
          label: FAMILY_LABELS[id],
          source: "core" as const,
          tools: members.map((tool) => catalogTool(tool, lists)),
        },
      ];
    }),
  };
}

function catalogTool({ name, label, description }: Tool, lists: ToolLists): CatalogTool {
  const profiles = TOOL_PROFILES.filter((id) => id !== "full" && lists.profiles[id].includes(name));
  return { id: name, label, description, source: "core", defaultProfiles: profiles };
}
