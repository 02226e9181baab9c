// Methods about agents: who they are, adding, changing and removing them, and the files that shape them.
import { agentOfSessionKey, GatewayError } from "@chela/sdk";
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
  const { keys, agentChanges } = gateway;

  return {
    async "agents.list"(_params, { client }) {
      const { defaultAgentId, mainKey, scope } = keys();
      const all = await (await agentChanges()).list();
      // Where things lie on this machine is nothing for those who only read.
      const shown = ({ workspace: _workspace, agentDir: _agentDir, ...agent }: (typeof all)[number]) => agent;
      const agents = holdsScope(client.scopes, "operator.admin") ? all : all.map(shown);
      return { defaultId: defaultAgentId, mainKey, scope, agents };
    },

    async "agent.identity.get"({ agentId, sessionKey }) {
      const id = agentId || (sessionKey ? agentOfSessionKey(sessionKey) : undefined);
      return (await agentChanges()).introduce(id ?? keys().defaultAgentId);
    },

    async "agents.create"(params) {
      requireModel(gateway, params.model);
      return { ok: true as const, ...(await writing(async () => (await agentChanges()).create(params))) };
    },

    async "agents.update"({ agentId, avatar, identity, ...change }) {
      requireModel(gateway, change.model);
      const person = avatar === undefined ? identity : { ...identity, avatar };
      const changed = { ...change, identity: person };
      return { ok: true as const, agentId: await writing(async () => (await agentChanges()).update(agentId, changed)) };
    },

    async "agents.delete"({ agentId, deleteFiles = true }) {
      const agents = await agentChanges();
      const { id } = agents.find(agentId);
      const removal = await writing(() => agents.remove(id, deleteFiles));
      gateway.log.info("agent removed", { agent: id, trash: removal.trash, left: removal.left });
      return { ok: true as const, agentId: id, ...removal };
    },

    async "agents.files.list"({ agentId }) {
      const agents = await agentChanges();
      const agent = agents.find(agentId);
      const files = (await agents.files(agent).list()).map((file) => ({ ...file }));
      return { agentId: agent.id, workspace: agent.workspace, files };
    },

    async "agents.files.get"({ agentId, name }, { client }) {
      const agents = await agentChanges();
      const agent = agents.find(agentId);
      const file = await agents.files(agent).get(name);
      // Whoever may change it needs it to the letter; nobody else needs the secrets somebody noted down.
      const isWhole = file.content === undefined || holdsScope(client.scopes, "operator.admin");
      const shown = isWhole ? file : { ...file, content: gateway.log.redact(file.content) };
      return { agentId: agent.id, workspace: agent.workspace, file: { ...shown } };
    },

    async "agents.files.set"({ agentId, name, content }) {
      const agents = await agentChanges();
      const agent = agents.find(agentId);
      const file = { ...(await agents.files(agent).set(name, content)) };
      gateway.changes.note("agents");
      return { ok: true as const, agentId: agent.id, workspace: agent.workspace, file };
    },
  };
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
