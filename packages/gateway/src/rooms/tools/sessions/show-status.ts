// The tool `session_status`: a short card about a session, and the change of its model.
import { agentOfSessionKey, type SessionEntry, type ToolContext, type ToolOutput } from "@chela/sdk";
import { timePrefix } from "../../../base/text/time-prefix.ts";
import type { StatusParts } from "./parts.ts";
import { failed, forbidden } from "./results.ts";
import { visibleSessions, type VisibleSession } from "./visible-sessions.ts";

export interface StatusArguments {
  readonly sessionKey?: string | undefined;
  readonly model?: string | undefined;
}

export async function showStatus(args: StatusArguments, parts: StatusParts, context: ToolContext): Promise<ToolOutput> {
  const sessions = visibleSessions(parts, context);
  const session = args.sessionKey === undefined ? await sessions.own() : await sessions.find(args.sessionKey);
  if (!session) return forbidden();
  if (args.model === undefined) return card(session, session.entry, parts, context);
  const ref = args.model.trim().toLowerCase() === "default" ? null : args.model.trim();
  const change = await parts.setModel(session.key, ref, context.requester);
  if (change.kind === "refused") return failed(change.why);
  return card(session, await parts.session(session.key), parts, context);
}

async function card(
  { key }: VisibleSession,
  entry: SessionEntry | undefined,
  parts: StatusParts,
  context: ToolContext,
): Promise<ToolOutput> {
  const agentId = key === context.sessionKey ? context.agentId : (agentOfSessionKey(key) ?? context.agentId);
  const now = parts.now();
  const model = await parts.modelOf(agentId, entry);
  const { tokens, cost } = await parts.usage(key);
  const lines = [
    `Time: ${timePrefix(now).slice(1, -2)} (${new Date(now).toISOString()})`,
    `Session: ${key}`,
    `Agent: ${agentId}`,
    `Model: ${model}${entry?.modelOverride ? " (set for this session)" : ""}`,
    `Context: ${contextOf(entry)}`,
    `Tokens: ${entry?.inputTokens ?? 0} in, ${entry?.outputTokens ?? 0} out in the last turn`,
    `Spent: ${tokens} tokens, ${cost === undefined ? "price unknown" : `$${cost.toFixed(4)}`}`,
    `Compactions: ${entry?.compactionCount ?? 0}`,
    ...optionsOf(entry),
    ...(entry ? [`Updated: ${new Date(entry.updatedAt).toISOString()}`] : []),
  ];
  return { content: [{ type: "text", text: lines.join("\n") }], details: { sessionKey: key, agentId, model } };
}

/** A count that is not fresh belongs to a context that has changed since. */
function contextOf(entry: SessionEntry | undefined): string {
  const used = entry?.totalTokensFresh === false ? undefined : entry?.totalTokens;
  return `${used ?? "?"} of ${entry?.contextTokens ?? "?"} tokens`;
}

function optionsOf(entry: SessionEntry | undefined): string[] {
  const options = [
    ...(entry?.thinkingLevel ? [`thinking ${entry.thinkingLevel}`] : []),
    ...(entry?.verboseLevel ? [`verbose ${entry.verboseLevel}`] : []),
    ...(entry?.reasoningLevel ? [`reasoning ${entry.reasoningLevel}`] : []),
  ];
  return options.length > 0 ? [`Options: ${options.join(", ")}`] : [];
}
