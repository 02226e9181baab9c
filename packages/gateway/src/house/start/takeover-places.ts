// Paths of small files that other versions leave. Asked at every start, so it loads nothing.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AGENT_ID } from "@chela/sdk";

export interface TakeoverPlaces {
  readonly stateDir: string;
  readonly defaultAgentId: string;
  agentDir(agentId: string): string;
}

export interface FilesToTake {
  /** Indexes of notes that are not where they are looked for today. */
  readonly notes: ReadonlyArray<{ readonly from: string; readonly to: string }>;
  /** They stay where they are, whether they were taken over or not. */
  readonly signIns: ReadonlyArray<{ readonly path: string; readonly agentId: string }>;
}

/** Undefined when there is none, as in most directories. */
export function findFilesToTake({ stateDir, defaultAgentId, agentDir }: TakeoverPlaces): FilesToTake | undefined {
  const agents = listAgents(stateDir);
  const notes = agents
    .map((agentId) => ({
      from: join(stateDir, "agents", agentId, "memory", "memory.sqlite"),
      to: join(stateDir, "memory", `${agentId}.sqlite`),
    }))
    .filter(({ from, to }) => existsSync(from) && !existsSync(to));
  const signIns = [
    ...agents.map((agentId) => ({ path: join(agentDir(agentId), "auth.json"), agentId })),
    { path: join(stateDir, "credentials", "oauth.json"), agentId: defaultAgentId },
  ].filter(({ path }) => existsSync(path));
  return notes.length + signIns.length > 0 ? { notes, signIns } : undefined;
}

function listAgents(stateDir: string): string[] {
  const directory = join(stateDir, "agents");
  return existsSync(directory) ? readdirSync(directory).filter((name) => AGENT_ID.test(name)) : [];
}
