// Makes an agent: checks what was asked for, prepares its workspace, and only then writes it into the configuration.
import { GatewayError, type Clock } from "@chela/sdk";
import type { ConfigStore } from "../../rooms/config/room.ts";
import { ensureWorkspace } from "../../rooms/workspace/room.ts";
import { addAgent, addBindings, newAgentId, parseBindings, type AgentChange, type BindReport } from "./agent-config.ts";
import { requireAvatar } from "./avatar.ts";
import { placeAgentDir, placeWorkspace, type Places } from "./workspace-place.ts";

export interface AgentWish {
  readonly name: string;
  readonly workspace: string;
  readonly emoji?: string | undefined;
  readonly avatar?: string | undefined;
  readonly model?: string | undefined;
  readonly agentDir?: string | undefined;
  readonly bind?: readonly string[] | undefined;
}

export interface CreatedAgent {
  readonly agentId: string;
  readonly name: string;
  readonly workspace: string;
  readonly bindings: BindReport;
}

export interface AgentParts {
  readonly config: ConfigStore;
  readonly clock: Clock;
  readonly places: Places;
}

export async function createAgent(wish: AgentWish, parts: AgentParts): Promise<CreatedAgent> {
  const { config } = parts;
  const name = wish.name.trim();
  const wanted = newAgentId(config, name);
  requireAvatar(wish.avatar);
  const bind = parseBindings(wish.bind ?? []);
  const agentDir = wish.agentDir === undefined ? undefined : placeAgentDir(wish.agentDir, wanted, parts.places);
  const workspace = await prepareWorkspace(wish.workspace, parts);
  const identity = { emoji: wish.emoji, avatar: wish.avatar };
  const change: AgentChange = { name, workspace, agentDir, model: wish.model, identity };
  // Asked again: somebody may have taken the name meanwhile.
  const agentId = newAgentId(config, name);
  addAgent(config, agentId, change);
  return { agentId, name, workspace, bindings: addBindings(config, agentId, bind) };
}

/** Makes the directory, with first files when it is new, and returns its path. */
export async function prepareWorkspace(written: string, { config, clock, places }: AgentParts): Promise<string> {
  const workspace = placeWorkspace(written, places);
  const skipBootstrap = config.current().agents?.defaults?.skipBootstrap ?? false;
  try {
    await ensureWorkspace(workspace, { skipBootstrap, now: clock.now() });
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    throw new GatewayError("AGENT_REQUEST", `the workspace cannot be made: ${error.detail}`, { cause: error });
  }
  return workspace;
}
