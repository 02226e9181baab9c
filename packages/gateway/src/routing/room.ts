// The routing room owns one question: which agent, which session. It is pure.
export { defaultAgent, listAgents, type AgentIdentity, type AgentRecord, type AgentsView } from "./agents.ts";
export { canonicalSessionKey, mainSessionKey, type KeyDefaults } from "./session-key.ts";
export { resolveRoute, type RouteDecision } from "./resolve.ts";
