// Methods about tools: which there are, and why one may be used or not.
import {
  AGENT_ID,
  agentOfSessionKey,
  GatewayError,
  modelOverrideOf,
  type Requester,
  canonicalSessionKey,
  mainSessionKey,
} from "@chela/sdk";
import { type TOOL_METHODS, grantsOf, invalid, WireError, type Handlers, type Client } from "@chela/sdk/protocol";
import type { ToolCatalog, ToolSubject } from "./room.ts";
import type { House } from "../../house/house.ts";

export function toolMethods(gateway: House): Pick<Handlers, keyof typeof TOOL_METHODS> {
  const knownAgent = (written: string | undefined): string => {
    const id = written?.trim().toLowerCase() ?? gateway.keys().defaultAgentId;
    if (AGENT_ID.test(id) && gateway.agents().some((agent) => agent.id === id)) return id;
    throw new GatewayError("AGENT_UNKNOWN", written ?? id);
  };

  return {
    async "tools.catalog"({ agentId, includePlugins = true }, call) {
      const agent = knownAgent(agentId);
      const { tools } = await gateway.turnServices();
      await tools.ready();
      const { groups, profiles } = tools.catalog(agent);
      const shown = includePlugins ? groups : groups.filter(({ source }) => source === "core");
      const key = mainSessionKey(agent, gateway.keys());
      const subject = await subjectOf(gateway, agent, key, call.client).catch(unlessWithoutModel);
      return {
        agentId: agent,
        profiles: profiles.map((profile) => ({ ...profile })),
        groups: shown.map((group) => ({ ...group, tools: group.tools.map(shownTool) })),
        ...(subject ? { removed: tools.for(subject).removed.map((one) => ({ ...one })) } : {}),
      };
    },

    async "tools.explain"({ tool, sessionKey: written, agentId }, call) {
      const sessionKey = written === undefined ? undefined : canonicalSessionKey(written, gateway.keys());
      if (written !== undefined && !sessionKey) throw invalid(`malformed session key "${written}"`);
      const owner = sessionKey === undefined ? undefined : agentOfSessionKey(sessionKey);
      const agent = knownAgent(agentId ?? owner);
      if (owner !== undefined && owner !== agent) {
        throw invalid(`agent "${agent}" does not match session key agent "${owner}"`);
      }
      const key = sessionKey ?? mainSessionKey(agent, gateway.keys());
      const subject = await subjectOf(gateway, agent, key, call.client);
      const { tools } = await gateway.turnServices();
      await tools.ready();
      const { steps, ...explanation } = tools.for(subject).explain(tool);
      const model = `${subject.model.provider}/${subject.model.id}`;
      return { ...explanation, agentId: agent, sessionKey: key, model, steps: steps.map((step) => ({ ...step })) };
    },
  };
}

function shownTool({ defaultProfiles, ...tool }: ToolCatalog["groups"][number]["tools"][number]) {
  return { ...tool, defaultProfiles: [...defaultProfiles] };
}

/** Without a model nobody can say what may be used; the catalogue is of use all the same. */
function unlessWithoutModel(error: unknown): undefined {
  if (!GatewayError.is(error) && !(error instanceof WireError)) throw error;
}

/** The same as a turn of this caller in this session would be judged by. */
export async function subjectOf(
  { ledger, models, sandboxes }: House,
  agentId: string,
  sessionKey: string,
  client: Pick<Client, "info" | "scopes">,
): Promise<ToolSubject> {
  const entry = await ledger.session(sessionKey);
  const [model] = await models.candidates({ agentId, override: modelOverrideOf(entry) });
  if (!model) throw invalid(`agent "${agentId}" has no model`);
  const depth = entry?.spawnDepth === undefined ? {} : { subagentDepth: entry.spawnDepth };
  await sandboxes.ready();
  const requester = requesterOf(client);
  const sandboxed = sandboxes.need({ agentId, sessionKey, requester }).kind === "required";
  return { agentId, sessionKey, model, requester, sandboxed, ...depth };
}

function requesterOf(client: Pick<Client, "info" | "scopes">): Requester {
  const { isOwner, standing } = grantsOf(client.scopes);
  return { channel: "webchat", account: "default", id: client.info.id, isOwner, standing };
}
