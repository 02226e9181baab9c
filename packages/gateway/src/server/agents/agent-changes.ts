// Questions about agents and changes to them, with or without a running gateway. All of it lies in files.
import { AGENT_ID, GatewayError } from "@chela/sdk";
import { memorySettings, pageSettings, type AgentSettings, type StatePaths } from "../../rooms/config/room.ts";
import { agentFiles, type AgentFiles } from "../../rooms/workspace/room.ts";
import { changeAgent, writtenBindings, type AgentChange } from "./agent-config.ts";
import { allAgents } from "./all-agents.ts";
import { keepPicture, requireAvatar } from "./avatar.ts";
import { createAgent, prepareWorkspace, type AgentParts, type AgentWish, type CreatedAgent } from "./create-agent.ts";
import { identityOf, type ShownIdentity } from "./identity.ts";
import { removeAgent, type Removal, type SessionEnding } from "./remove-agent.ts";

export interface SenderParts extends Omit<AgentParts, "places"> {
  readonly paths: StatePaths;
}

type ListedAgent = {
  readonly id: string;
  readonly name?: string;
  readonly identity?: ShownIdentity;
  readonly workspace: string;
  readonly agentDir: string;
  readonly model?: string;
  readonly bindings: string[];
};

export interface AgentChanges {
  list(): Promise<ListedAgent[]>;
  /** Throws AGENT_UNKNOWN. */
  find(written: string): AgentSettings;
  identity(agent: AgentSettings): Promise<ShownIdentity>;
  create(wish: AgentWish): Promise<CreatedAgent>;
  /** Returns the id of the agent. */
  update(written: string, change: AgentChange): Promise<string>;
  /** Undefined for the ending when there are no sessions to end. */
  remove(written: string, deleteFiles: boolean, ending: SessionEnding | undefined): Promise<Removal>;
  files(agent: AgentSettings): AgentFiles;
}

export function createAgentChanges({ config, clock, paths }: SenderParts): AgentChanges {
  const parts: AgentParts = { config, clock, places: paths };
  const all = (): AgentSettings[] => allAgents(config.current(), paths);
  const basePath = (): string => pageSettings(config.current(), paths).basePath;
  // Not made to fit: an id that is nearly right must not name another agent.
  const find = (written: string): AgentSettings => {
    const id = written.trim().toLowerCase();
    const found = AGENT_ID.test(id) ? all().find((agent) => agent.id === id) : undefined;
    if (!found) throw new GatewayError("AGENT_UNKNOWN", written);
    return found;
  };

  return {
    find,
    identity: (agent) => identityOf(agent, basePath()),
    files: ({ workspace }) => agentFiles(workspace),
    create: (wish) => createAgent(wish, parts),

    async list() {
      const bindings = writtenBindings(config);
      const models = modelsByAgent(config.current().agents?.list);
      const rows: ListedAgent[] = [];
      for (const agent of all()) {
        const { id, name, workspace, agentDir } = agent;
        const identity = await identityOf(agent, basePath());
        const model = models.get(id);
        rows.push({
          id,
          ...(name ? { name } : {}),
          ...(Object.keys(identity).length > 0 ? { identity } : {}),
          workspace,
          agentDir,
          ...(model ? { model } : {}),
          bindings: bindings.filter(({ agentId }) => agentId === id).map((binding) => binding.name),
        });
      }
      return rows;
    },

    async update(written, change) {
      const agent = find(written);
      const { identity } = change;
      requireAvatar(identity?.avatar);
      const workspace = change.workspace === undefined ? undefined : await prepareWorkspace(change.workspace, parts);
      const avatar = identity?.avatar && keepPicture(workspace ?? agent.workspace, identity.avatar);
      changeAgent(config, agent.id, { ...change, workspace, identity: { ...identity, avatar } });
      return agent.id;
    },

    async remove(written, deleteFiles, ending) {
      const { id } = find(written);
      const agents = all();
      const indexOf = (agent: AgentSettings): string =>
        memorySettings(config.current(), agent.id, agent.workspace, paths).path;
      const own = indexOf(find(id));
      const isShared = agents.some((agent) => agent.id !== id && indexOf(agent) === own);
      return removeAgent(id, deleteFiles, { ...parts, agents, ending, indexPath: isShared ? undefined : own });
    },
  };
}

function modelsByAgent(
  list:
    | ReadonlyArray<{
        readonly id: string;
        readonly model?: string | { readonly primary?: string | undefined } | undefined;
      }>
    | undefined,
): Map<string, string | undefined> {
  return new Map(
    (list ?? []).map(({ id, model }) => [id.trim().toLowerCase(), typeof model === "string" ? model : model?.primary]),
  );
}
