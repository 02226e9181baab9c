// The tool `agents_list`: the agents this one may start or write to.
import { defined } from "@chela/sdk/base";
import type { ToolContext, ToolOutput } from "@chela/sdk";
import type { AgentName, SessionReads } from "./parts.ts";
import { asJson } from "./results.ts";
import { matches } from "./scope.ts";
import { visibleSessions } from "./visible-sessions.ts";

export async function listAgents(reads: SessionReads, context: ToolContext): Promise<ToolOutput> {
  const allow = reads.settings(context).allowAgents ?? [];
  const { scope } = visibleSessions(reads, context);
  const isReached = ({ id }: AgentName): boolean =>
    id === context.agentId || scope.reachesAgent(id) || allow.some((pattern) => matches(pattern, id));
  const configured = reads.agents();
  const known = configured.filter(isReached).map(({ id, name }) => ({ id, ...defined({ name }), configured: true }));
  const unknown = [context.agentId, ...allow]
    .map((id) => id.trim().toLowerCase())
    .filter((id, index, all) => id !== "" && !id.includes("*") && all.indexOf(id) === index)
    .filter((id) => !configured.some((agent) => agent.id === id))
    .map((id) => ({ id, configured: false }));
  const agents = [...known, ...unknown].toSorted((a, b) => rank(a.id, context) - rank(b.id, context));
  return asJson({ requester: context.agentId, allowAny: allow.includes("*"), agents });
}

/** The caller itself comes first; the others stay in the order of the configuration. */
function rank(id: string, { agentId }: ToolContext): number {
  return id === agentId ? 0 : 1;
}
