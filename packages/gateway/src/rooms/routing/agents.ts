// Lists the agents, and which of them answers when nobody else is named.
import { normalizeAgentId } from "@chela/sdk";

/** The part of the configuration that names agents. */
export interface AgentsView {
  readonly agents?:
    | {
        readonly list?:
          | ReadonlyArray<{
              readonly id: string;
              readonly default?: boolean | undefined;
              readonly name?: string | undefined;
              readonly workspace?: string | undefined;
              readonly identity?: AgentIdentity | undefined;
            }>
          | undefined;
        readonly defaults?: { readonly workspace?: string | undefined } | undefined;
      }
    | undefined;
}

export interface AgentIdentity {
  readonly name?: string | undefined;
  readonly theme?: string | undefined;
  readonly emoji?: string | undefined;
  readonly avatar?: string | undefined;
}

export interface AgentRecord {
  readonly id: string;
  readonly isDefault: boolean;
  readonly name?: string;
  readonly workspace?: string;
  readonly identity?: AgentIdentity;
}

/** At least one agent, exactly one default: the marked one, else the first, else "main". */
export function listAgents(config: AgentsView): AgentRecord[] {
  const listed = (config.agents?.list ?? []).map((agent) => ({ ...agent, id: normalizeAgentId(agent.id) }));
  const agents = listed.length > 0 ? listed : [{ id: "main" }];
  const defaultId = (agents.find((agent) => "default" in agent && agent.default) ?? agents[0])?.id;
  return agents.map((agent) => ({
    id: agent.id,
    isDefault: agent.id === defaultId,
    ...("name" in agent && agent.name ? { name: agent.name } : {}),
    ...("workspace" in agent && agent.workspace ? { workspace: agent.workspace } : {}),
    ...("identity" in agent && agent.identity ? { identity: agent.identity } : {}),
  }));
}

export function defaultAgent(config: AgentsView): AgentRecord {
  const agents = listAgents(config);
  return agents.find((agent) => agent.isDefault) ?? { id: "main", isDefault: true };
}
