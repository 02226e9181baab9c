// Every agent of the configuration with what holds for it.
import { agentSettings, type AgentSettings, type ChelaConfig, type StatePaths } from "../../rooms/config/room.ts";
import { listAgents } from "../../rooms/routing/room.ts";

export function allAgents(config: ChelaConfig, paths: StatePaths): AgentSettings[] {
  return listAgents(config).map((agent) => agentSettings(config, agent, paths));
}
