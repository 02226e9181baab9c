// Decides which agent and which session a message of an operator belongs to.
import { agentOfSessionKey, normalizeAgentId, canonicalSessionKey, mainSessionKey, type KeyDefaults } from "@chela/sdk";
import { listAgents, type AgentsView } from "./agents.ts";

export interface RouteRequest {
  readonly agentId?: string;
  readonly sessionKey?: string;
}

export type RouteDecision =
  | {
      readonly kind: "route";
      readonly agentId: string;
      readonly sessionKey: string;
      readonly mainSessionKey: string;
      readonly matchedBy: "session-key" | "agent-id" | "default";
    }
  | { readonly kind: "unroutable"; readonly why: string };

export function resolveRoute(request: RouteRequest, config: AgentsView, defaults: KeyDefaults): RouteDecision {
  const known = new Set(listAgents(config).map((agent) => agent.id));
  const wanted = request.agentId === undefined ? undefined : normalizeAgentId(request.agentId);
  if (wanted !== undefined && !known.has(wanted)) {
    return { kind: "unroutable", why: `unknown agent id "${request.agentId}" (known: ${[...known].join(", ")})` };
  }
  if (!request.sessionKey) {
    const agentId = wanted ?? defaults.defaultAgentId;
    const key = mainSessionKey(agentId, defaults);
    return route(agentId, key, defaults, wanted === undefined ? "default" : "agent-id");
  }
  const key = canonicalSessionKey(request.sessionKey, defaults);
  if (key === undefined) return { kind: "unroutable", why: `malformed session key "${request.sessionKey}"` };
  const owner = agentOfSessionKey(key);
  if (owner !== undefined && !known.has(owner)) {
    return { kind: "unroutable", why: `unknown agent id "${owner}" (known: ${[...known].join(", ")})` };
  }
  if (wanted !== undefined && owner !== undefined && wanted !== owner) {
    return { kind: "unroutable", why: `agent "${wanted}" does not match session key agent "${owner}"` };
  }
  return route(owner ?? wanted ?? defaults.defaultAgentId, key, defaults, "session-key");
}

function route(
  agentId: string,
  sessionKey: string,
  defaults: KeyDefaults,
  matchedBy: "session-key" | "agent-id" | "default",
): RouteDecision {
  return { kind: "route", agentId, sessionKey, mainSessionKey: mainSessionKey(agentId, defaults), matchedBy };
}
