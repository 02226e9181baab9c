// Where an agent's workspace lies when nobody wrote it down: our place, or one of those that were usual elsewhere.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../base/files.ts";
import type { StatePaths } from "./state-paths.ts";

interface AgentName {
  readonly id: string;
  readonly isDefault: boolean;
}

/** Our own place first. */
export function workspacePlaces(stateDir: string, { id, isDefault }: AgentName): string[] {
  const own = isDefault ? [join(stateDir, "workspace")] : [];
  const named = [["workspaces", id], [`workspace-${id}`], ["agents", id, "workspace"]];
  return [...own, ...named.map((parts) => join(stateDir, ...parts))];
}

/** By state directory and agent: each turn asks several times, and a workspace does not move because it was emptied. */
const found = new WeakMap<Pick<StatePaths, "stateDir">, Map<string, string>>();

/** The first that holds something; our own place when none does. */
export function findWorkspace(paths: Pick<StatePaths, "stateDir">, agent: AgentName): string {
  const known = found.get(paths) ?? new Map<string, string>();
  const name = `${agent.isDefault ? "default" : "other"}:${agent.id}`;
  const before = known.get(name);
  if (before !== undefined && existsSync(before)) return before;
  const places = workspacePlaces(paths.stateDir, agent);
  const place = places.find(holdsSomething);
  if (place !== undefined) found.set(paths, known.set(name, place));
  return place ?? places[0] ?? paths.stateDir;
}

function holdsSomething(directory: string): boolean {
  if (!existsSync(directory)) return false;
  try {
    return readdirSync(directory).length > 0;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return false;
    // One that may not be read is still somebody's: what follows says so.
    return true;
  }
}
