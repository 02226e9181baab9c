// The routing room owns one question: which agent, which session. It is pure.
export { defaultAgent, listAgents, type AgentRecord } from "./agents.ts";
export { resolveRoute } from "./resolve.ts";
export type { BindingView } from "./bindings.ts";
export type { RoutedEvent, SessionView } from "./chat-key.ts";
export { routeEvent, type ResolvedAgentRoute, type RoutingView } from "./route-event.ts";
export { explainRoute } from "./explain-route.ts";
export { describeKey, parentKeyOf } from "./describe-key.ts";
