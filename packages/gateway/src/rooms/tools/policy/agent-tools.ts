// Finds what the configuration says about the tools of one agent.
import { normalizeAgentId } from "@chela/sdk";
import type { AgentToolsView, ToolsConfigView } from "./config-view.ts";

export function agentTools(config: ToolsConfigView, agentId: string): AgentToolsView | undefined {
  const wanted = normalizeAgentId(agentId);
  return config.agents?.list?.find((one) => normalizeAgentId(String(one?.id)) === wanted)?.tools;
}
