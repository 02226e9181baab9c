// Finds an agent's workspace when nobody wrote it down: our place, or one that was usual elsewhere.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "@chela/sdk/files";

/** Our own place first. */
function workspacePlaces(stateDir: string, agent: { readonly id: string; readonly isDefault: boolean }): string[] {
  const { id, isDefault } = agent;
  const own = isDefault ? [join(stateDir, "workspace")] : [];
  const named = [["workspaces", id], [`workspace-${id}`], ["agents", id, "workspace"]];
  return [...own, ...named.map((parts) => join(stateDir, ...parts))];
}

/** The first that holds something; our own place when none does. */
export function findWorkspace(stateDir: string, agent: { readonly id: string; readonly isDefault: boolean }): string {
  const places = workspacePlaces(stateDir, agent);
  return places.find(holdsSomething) ?? places[0] ?? stateDir;
}

function holdsSomething(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return false;
    // One that may not be read is still somebody's: what follows says so.
    return true;
  }
}
