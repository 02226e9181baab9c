// Which files hold notes about people: closed for whoever may not know them, for file tools and for commands.
import { join } from "node:path";
import { memorySettings, type ConfigStore, type StatePaths } from "./config/room.ts";

export interface NotePlaces {
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  workspace(agentId: string): string;
}

const NAMES = ["MEMORY.md", "memory.md", "memory", "USER.md"];

/** Absolute paths, whether they are there or not. */
export function privateNotes(agentId: string, { config, paths, workspace }: NotePlaces): string[] {
  const home = workspace(agentId);
  const { extraPaths } = memorySettings(config.current(), agentId, home, paths);
  return NAMES.map((name) => join(home, name)).concat(extraPaths);
}
