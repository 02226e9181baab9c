// Questions about agents and changes to them. What is said of them lies in files; what they leave behind lies in several rooms.
import { AGENT_ID, GatewayError } from "@chela/sdk";
import type { House } from "../house.ts";
import { memorySettings, pageSettings, type AgentSettings } from "../../rooms/config/room.ts";
import { agentFiles, type AgentFiles } from "../../rooms/workspace/room.ts";
import { changeAgent, writtenBindings, type AgentChange } from "./agent-config.ts";
import { allAgents } from "./all-agents.ts";
import { keepPicture, requireAvatar } from "./avatar.ts";
import { createAgent, prepareWorkspace, type AgentParts, type AgentWish, type CreatedAgent } from "./create-agent.ts";
import { avatarOf, identityOf, type ShownIdentity } from "./identity.ts";
import { removeAgent, type Removal, type SessionEnding } from "./remove-agent.ts";

type AgentsHouse = Pick<
  House,
  "config" | "clock" | "paths" | "ledger" | "files" | "memory" | "inbound" | "lanes" | "sessions"
>;

type ListedAgent = {
  readonly id: string;
  readonly name?: string;
  readonly identity?: ShownIdentity;
  readonly workspace: string;
  readonly agentDir: string;
  readonly model?: string;
  readonly bindings: string[];
};

type Introduction = {
  readonly agentId: string;
  readonly name: string;
  readonly avatar: string;
  readonly emoji?: string;
};

export interface AgentChanges {
  list(): Promise<ListedAgent[]>;
  /** Throws AGENT_UNKNOWN. */
  find(written: string): AgentSettings;
  /** By which name and picture people know it. */
  introduce(written: string): Promise<Introduction>;
  create(wish: AgentWish): Promise<CreatedAgent>;
  /** Returns the id of the agent. */
  update(written: string, change: AgentChange): Promise<string>;
  remove(written: string, deleteFiles: boolean): Promise<Removal>;
  files(agent: AgentSettings): AgentFiles;
}

export function openAgentChanges(house: AgentsHouse): AgentChanges {
  const { config, clock, paths } = house;
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
    async introduce(written) {
      const agent = find(written);
      const identity = await identityOf(agent, basePath());
      const name = identity.name ?? agent.name ?? "Assistant";
      const emoji = identity.emoji ? { emoji: identity.emoji } : {};
      return { agentId: agent.id, name, avatar: avatarOf(identity, name), ...emoji };
    },
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

    async remove(written, deleteFiles) {
      const { id } = find(written);
      const agents = all();
      const indexOf = (agent: AgentSettings): string =>
        memorySettings(config.current(), agent.id, agent.workspace, paths).path;
      const own = indexOf(find(id));
      const isShared = agents.some((agent) => agent.id !== id && indexOf(agent) === own);
      return removeAgent(id, deleteFiles, {
        ...parts,
        agents,
        ending: endingIn(house),
        indexPath: isShared ? undefined : own,
      });
    },
  };
}

function endingIn(house: AgentsHouse): SessionEnding {
  return {
    ledger: house.ledger,
    deleteSession: (key) => endSession(house, key),
    mirrored: () => house.files.flush(),
    forgetMemory: (agentId) => forgetAgentIn(house, agentId),
  };
}

/** Nobody has its index open while nobody has asked for memory. */
async function forgetAgentIn({ memory, ledger }: AgentsHouse, agentId: string): Promise<void> {
  const opened = await memory.known();
  if (opened) await opened.agentRemoved(agentId);
  else await (await import("../../rooms/memory/room.ts")).forgetAgent(ledger, agentId);
}

/** A message that slipped in while the agent was being removed is stopped: nobody is left to answer it. */
async function endSession({ inbound, lanes, sessions }: AgentsHouse, key: string): Promise<void> {
  inbound.stop(key, "rpc");
  await lanes.settled(key);
  await sessions.delete(key, { archiveTranscript: true });
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
