// Takes an agent out of the house: bindings and configuration first, then its sessions, then its files to the trash.
import { mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { GatewayError, type Ledger } from "@chela/sdk";
import { errnoOf, isInside } from "@chela/sdk/files";
import type { AgentSettings } from "../../rooms/config/room.ts";
import { dropAgent } from "./agent-config.ts";
import type { AgentParts } from "./create-agent.ts";
import { isHeldWorkspace, realPath } from "./workspace-place.ts";

/** How the sessions of an agent that goes are ended. */
export interface SessionEnding {
  readonly ledger: Pick<Ledger, "sessions" | "unfinishedRuns">;
  deleteSession(key: string): Promise<unknown>;
  /** Resolves when the session files are what the ledger is. */
  mirrored(): Promise<void>;
  /** What the agent learned is known to nobody any more, and its index is not in use. */
  forgetMemory(agentId: string): Promise<void>;
}

export interface RemovalParts extends AgentParts {
  /** Every agent as it is before the removal. */
  readonly agents: readonly AgentSettings[];
  readonly ending: SessionEnding;
  /** Of its memory; undefined when another agent has the same. */
  readonly indexPath: string | undefined;
}

export type Removal = {
  readonly removedBindings: number;
  /** Where everything went. */
  readonly trash?: string;
  readonly moved: string[];
  /** What still lies where it was, with the reason. */
  readonly left: Array<{ readonly path: string; readonly why: string }>;
};

export async function removeAgent(agentId: string, deleteFiles: boolean, parts: RemovalParts): Promise<Removal> {
  const agent = parts.agents.find(({ id }) => id === agentId);
  if (agentId === "main") throw new GatewayError("AGENT_REQUEST", '"main" cannot be deleted');
  if (!agent) throw new GatewayError("AGENT_UNKNOWN", agentId);
  await refuseWhileBusy(agentId, parts.ending);
  const removedBindings = dropAgent(parts.config, agentId);
  if (!deleteFiles) return { removedBindings, moved: [], left: [] };
  await endSessions(agentId, parts.ending);
  const foreignIndex = await removeMemory(agentId, parts);
  return { removedBindings, ...moveToTrash(agent, foreignIndex, parts) };
}

async function refuseWhileBusy(agentId: string, ending: SessionEnding): Promise<void> {
  const unfinished = await ending.ledger.unfinishedRuns();
  const busy = unfinished.filter(({ message }) => message.agentId === agentId);
  if (busy.length === 0) return;
  const sessions = [...new Set(busy.map(({ message }) => message.sessionKey))].join(", ");
  throw new GatewayError("AGENT_BUSY", `"${agentId}" has not answered everything in ${sessions}`);
}

async function endSessions(agentId: string, ending: SessionEnding): Promise<void> {
  for (const { key } of await ending.ledger.sessions({ agentId, includeHidden: true })) await ending.deleteSession(key);
  await ending.mirrored();
}

/** Notes and conversations go to the trash; what was made from them goes for good. Returns an index of somebody else's. */
async function removeMemory(agentId: string, { ending, indexPath }: RemovalParts): Promise<string | undefined> {
  await ending.forgetMemory(agentId);
  if (indexPath === undefined) return undefined;
  const { removeIndexFiles } = await import("../../rooms/memory/room.ts");
  return removeIndexFiles(indexPath);
}

function moveToTrash(
  agent: AgentSettings,
  foreignIndex: string | undefined,
  parts: RemovalParts,
): Omit<Removal, "removedBindings"> {
  const { stateDir } = parts.places;
  const own = join(stateDir, "agents", agent.id);
  const trash = join(stateDir, "trash", `${stampOf(parts.clock.now())}-${agent.id}`);
  const moved: string[] = [];
  const left: Array<{ path: string; why: string }> = [];
  const things = [
    { name: "workspace", path: agent.workspace, why: whyWorkspaceStays(agent, parts) },
    { name: "agent", path: agent.agentDir, why: isInside(own, agent.agentDir) ? undefined : "it lies elsewhere" },
    { name: "sessions", path: join(own, "sessions"), why: undefined },
    ...(foreignIndex === undefined ? [] : [{ name: "memory.sqlite", path: foreignIndex, why: undefined }]),
  ];
  for (const { name, path, why } of things) {
    if (!statSync(path, { throwIfNoEntry: false })) continue;
    const failure = why ?? tryMove(path, join(trash, name));
    if (failure === undefined) moved.push(path);
    else left.push({ path, why: failure });
  }
  removeIfEmpty(own);
  return { ...(moved.length > 0 ? { trash } : {}), moved, left };
}

/** Undefined when it goes with its agent. */
function whyWorkspaceStays({ id, workspace }: AgentSettings, { agents, places }: RemovalParts): string | undefined {
  if (!isHeldWorkspace(workspace, places)) return "it lies outside the state directory";
  const mine = realPath(workspace);
  const sharing = agents.find((other) => {
    const theirs = realPath(other.workspace);
    return other.id !== id && (isInside(mine, theirs) || isInside(theirs, mine));
  });
  return sharing ? `agent "${sharing.id}" uses it, too` : undefined;
}

function tryMove(from: string, to: string): string | undefined {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
    return undefined;
  } catch (error) {
    return `it could not be moved (${errnoOf(error) ?? "unknown error"})`;
  }
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Something of somebody is in it, or it was never there.
  }
}

function stampOf(at: number): string {
  return new Date(at).toISOString().replaceAll(":", "-");
}
