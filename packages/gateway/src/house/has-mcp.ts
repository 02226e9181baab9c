// Whether any MCP server is named. Told at a glance, because every turn asks, and nothing is loaded for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { House } from "./house.ts";

export function hasMcp({ config, agents, workspaceOf }: Pick<House, "config" | "agents" | "workspaceOf">): boolean {
  if (Object.keys(config.current().mcp?.servers ?? {}).length > 0) return true;
  return agents().some(({ id }) => existsSync(join(workspaceOf(id), ".mcp.json")));
}
