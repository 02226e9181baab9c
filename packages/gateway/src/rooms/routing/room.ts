// The routing room owns one question: which agent, which session. It is pure.
export { defaultAgent, listAgents, type AgentIdentity, type AgentRecord, type AgentsView } from "./agents.ts";
export { resolveRoute, type RouteDecision } from "./resolve.ts";
export type { BindingTier, BindingView } from "./bindings.ts";
export type { RoutedEvent, SessionView } from "./chat-key.ts";
export { routeEvent, type ResolvedAgentRoute, type RoutingView, type TierNote } from "./route-event.ts";
export { explainRoute } from "./explain-route.ts";
export { describeKey, parentKeyOf, type KeyDescription, type KeyKind } from "./describe-key.ts";
