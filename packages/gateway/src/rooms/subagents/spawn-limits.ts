// How deep sub-agents may go, and how many of one conversation may be at work.
import type { Ledger } from "@chela/sdk";
import { refused, type Refused, type SubagentsParts } from "./parts.ts";
import type { Caller } from "./read-wishes.ts";

const AT_WORK = ["waiting", "running"] as const;

/** Undefined when another one may be started. */
export async function whyNoMore(
  asking: Caller,
  ledger: Ledger,
  { settings }: Pick<SubagentsParts, "settings">,
): Promise<Refused | undefined> {
  const { maxSpawnDepth } = settings(asking.agentId);
  const depth = await depthOf(asking.sessionKey, ledger);
  if (depth >= maxSpawnDepth) {
    const why = `Sub-agents cannot be started from here: depth ${depth} of ${maxSpawnDepth} (agents.defaults.subagents.maxSpawnDepth). Do it yourself.`;
    return refused(why, "forbidden");
  }
  return whyTooMany(asking, ledger, { settings });
}

/** Undefined when another one may be at work. */
export async function whyTooMany(
  { agentId, sessionKey }: Caller,
  ledger: Ledger,
  { settings }: Pick<SubagentsParts, "settings">,
): Promise<Refused | undefined> {
  const { maxChildrenPerAgent: most } = settings(agentId);
  const active = await ledger.countErrands({ kind: "subagent", owner: sessionKey, states: AT_WORK });
  if (active < most) return undefined;
  const why = `${active} sub-agents of this session are at work, and ${most} is the most (agents.defaults.subagents.maxChildrenPerAgent). Wait for one, or kill one.`;
  return refused(why, "forbidden");
}

/** 0 for a conversation with people. One below whose place is not known counts as the deepest. */
export async function depthOf(sessionKey: string, ledger: Ledger): Promise<number> {
  const depth = (await ledger.session(sessionKey))?.spawnDepth;
  return depth ?? (/:(subagent|acp):/.test(sessionKey) ? Infinity : 0);
}
