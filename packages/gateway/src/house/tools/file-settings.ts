// File settings of agents: where each may read and write.
import { join } from "node:path";
import { agentDirectory, fileSettings } from "../../rooms/config/room.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import type { FileSettings } from "../../rooms/tools/room.ts";
import type { House } from "../house.ts";

export function fileSettingsOf(agentId: string, house: Pick<House, "config" | "paths" | "workspaceOf">): FileSettings {
  const { config, paths, workspaceOf } = house;
  const agents = listAgents(config.current()).map(({ id }) => id);
  const others = agents.filter((id) => id !== agentId).map((id) => workspaceOf(id));
  const credentials = agents.map((id) => agentDirectory(config.current(), id, paths));
  const forbidden = [paths.stateDir, paths.configPath, ...credentials, ...others];
  const attached = join(paths.stateDir, "media", "inbound");
  return { ...fileSettings(config.current(), agentId), forbidden, attached };
}
