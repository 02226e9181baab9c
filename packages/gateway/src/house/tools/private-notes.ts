// Files with notes about people: closed for whoever may not know them, for file tools and for commands.
import { join } from "node:path";
import { memorySettings } from "../../rooms/config/room.ts";
import type { House } from "../house.ts";

const NAMES = ["MEMORY.md", "memory.md", "memory", "USER.md"];

/** Absolute paths, whether they are there or not. */
export function privateNotes(agentId: string, house: Pick<House, "config" | "paths" | "workspaceOf">): string[] {
  const { config, paths } = house;
  const home = house.workspaceOf(agentId);
  const { extraPaths } = memorySettings(config.current(), agentId, home, paths);
  return NAMES.map((name) => join(home, name)).concat(extraPaths);
}
