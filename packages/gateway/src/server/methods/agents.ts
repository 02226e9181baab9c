// Methods about agents: who they are, adding, changing and removing them, and the files that shape them.
import { agentOfSessionKey, GatewayError } from "@chela/sdk";
import { defaultAgent } from "../../rooms/routing/room.ts";
import { createAgentChanges } from "../agents/agent-changes.ts";
import { avatarOf } from "../agents/identity.ts";
import { invalid, type Handlers, holdsScope, asInvalid } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type AgentsMethods = Pick<
  Handlers,
  | "agents.list"
  | "agents.create"
  | "agents.update"
  | "agents.delete"
  | "agents.files.list"
  | "agents.files.get"
  | "agents.files.set"
  | "agent.identity.get"
>;

export function agentsMethods(gateway: House): AgentsMethods {
  const { config, ledger } = gateway;
  const changes = createAgentChanges(gateway);

  return {
    async "agents.list"(_params, { client }) {
      const { defaultAgentId, mainKey, scope } = gateway.keys();
      const all = await changes.list();
      // Where things lie on this machine is nothing for those who only read.
      const shown = ({ workspace: _workspace, agentDir: _agentDir, ...agent }: (typeof all)[number]) => agent;
      const agents = holdsScope(client.scopes, "operator.admin") ? all : all.map(shown);
      return { defaultId: defaultAgentId, mainKey, scope, agents };
    },

    async "agent.identity.get"({ agentId, sessionKey }) {
      const id = agentId || (sessionKey ? agentOfSessionKey(sessionKey) : undefined);
      const agent = changes.find(id ?? defaultAgent(config.current()).id);
      const identity = await changes.identity(agent);
      const name = identity.name ?? agent.name ?? "Assistant";
      const emoji = identity.emoji ? { emoji: identity.emoji } : {};
      return { agentId: agent.id, name, avatar: avatarOf(identity, name), ...emoji };
    },

    async "agents.create"(params) {
      requireModel(gateway, params.model);
      return { ok: true as const, ...(await writing(() => changes.create(params))) };
    },

    async "agents.update"({ agentId, avatar, identity, ...change }) {
      requireModel(gateway, change.model);
      const person = avatar === undefined ? identity : { ...identity, avatar };
      return {
        ok: true as const,
        agentId: await writing(() => changes.update(agentId, { ...change, identity: person })),
      };
    },

    async "agents.delete"({ agentId, deleteFiles = true }) {
      const { id } = changes.find(agentId);
      const deleteSession = (key: string): Promise<void> => endSession(gateway, key);
      const forgetMemory = (removed: string): Promise<void> => forgetAgentIn(gateway, removed);
      const ending = { ledger, deleteSession, mirrored: () => gateway.files.flush(), forgetMemory };
      const removal = await writing(() => changes.remove(id, deleteFiles, ending));
      gateway.log.info("agent removed", { agent: id, trash: removal.trash, left: removal.left });
      return { ok: true as const, agentId: id, ...removal };
    },

    async "agents.files.list"({ agentId }) {
      const agent = changes.find(agentId);
      const files = (await changes.files(agent).list()).map((file) => ({ ...file }));
      return { agentId: agent.id, workspace: agent.workspace, files };
    },

    async "agents.files.get"({ agentId, name }, { client }) {
      const agent = changes.find(agentId);
      const file = await changes.files(agent).get(name);
      // Whoever may change it needs it to the letter; nobody else needs the secrets somebody noted down.
      const isWhole = file.content === undefined || holdsScope(client.scopes, "operator.admin");
      const shown = isWhole ? file : { ...file, content: gateway.log.redact(file.content) };
      return { agentId: agent.id, workspace: agent.workspace, file: { ...shown } };
    },

    async "agents.files.set"({ agentId, name, content }) {
      const agent = changes.find(agentId);
      const file = { ...(await changes.files(agent).set(name, content)) };
      gateway.changes.note("agents");
      return { ok: true as const, agentId: agent.id, workspace: agent.workspace, file };
    },
  };
}

/** Nobody has its index open while nobody has asked for memory. */
async function forgetAgentIn({ memory, ledger }: House, agentId: string): Promise<void> {
  const opened = await memory.known();
  if (opened) await opened.agentRemoved(agentId);
  else await (await import("../../rooms/memory/room.ts")).forgetAgent(ledger, agentId);
}

/** A message that slipped in while the agent was being removed is stopped: nobody is left to answer it. */
async function endSession({ inbound, lanes, sessions }: House, key: string): Promise<void> {
  inbound.stop(key, "rpc");
  await lanes.settled(key);
  await sessions.delete(key, { archiveTranscript: true });
}

function requireModel({ models }: House, ref: string | undefined): void {
  if (ref === undefined) return;
  try {
    models.resolve(ref);
  } catch (error) {
    throw GatewayError.is(error) ? invalid(error.message) : error;
  }
}

/** What the configuration refuses is the caller's mistake. */
async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw GatewayError.is(error) && error.code.startsWith("CONFIG_") ? asInvalid(error) : error;
  }
}
