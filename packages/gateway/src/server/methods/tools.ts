// Methods about tools: which there are, and why one may be used or not.
import { AGENT_ID, agentOfSessionKey, GatewayError, modelOverrideOf, type Requester } from "@chela/sdk";
import { sandboxNeed } from "../../config/room.ts";
import { canonicalSessionKey, defaultAgent, listAgents, mainSessionKey } from "../../routing/room.ts";
import type { ToolSubject } from "../../tools/room.ts";
import { invalid, type CallContext, type Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";
import { holdsScope } from "../scopes.ts";

export function toolMethods(gateway: GatewayParts): Pick<Handlers, "tools.catalog" | "tools.explain"> {
  const knownAgent = (written: string | undefined): string => {
    const config = gateway.config.current();
    const id = written?.trim().toLowerCase() ?? defaultAgent(config).id;
    if (AGENT_ID.test(id) && listAgents(config).some((agent) => agent.id === id)) return id;
    throw new GatewayError("AGENT_UNKNOWN", written ?? id);
  };

  return {
    async "tools.catalog"({ agentId, includePlugins = true }) {
      const { tools } = await gateway.workshop();
      const { groups, ...catalog } = tools.catalog(knownAgent(agentId));
      const shown = includePlugins ? groups : groups.filter(({ source }) => source === "core");
      return { ...catalog, profiles: [...catalog.profiles], groups: [...shown] };
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
      const subject = await subjectOf(gateway, agent, key, requesterOf(call));
      const { tools } = await gateway.workshop();
      const { steps, ...explanation } = tools.for(subject).explain(tool);
      const model = `${subject.model.provider}/${subject.model.id}`;
      return { ...explanation, agentId: agent, sessionKey: key, model, steps: steps.map((step) => ({ ...step })) };
    },
  };
}

/** The same as a turn of this caller in this session would be judged by. */
async function subjectOf(
  { ledger, models, config }: GatewayParts,
  agentId: string,
  sessionKey: string,
  requester: Requester,
): Promise<ToolSubject> {
  const entry = await ledger.session(sessionKey);
  const [model] = await models.candidates({ agentId, override: modelOverrideOf(entry) });
  if (!model) throw invalid(`agent "${agentId}" has no model`);
  const depth = entry?.spawnDepth === undefined ? {} : { subagentDepth: entry.spawnDepth };
  const sandboxed = sandboxNeed(config.current(), agentId, sessionKey).kind === "required";
  return { agentId, sessionKey, model, requester, sandboxed, ...depth };
}

function requesterOf({ client }: CallContext): Requester {
  const isOwner = holdsScope(client.scopes, "operator.admin");
  return { channel: "webchat", account: "default", id: client.info.id, isOwner };
}
