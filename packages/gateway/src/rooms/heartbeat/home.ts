// The conversation that stands for the person behind an agent: the one that is written, or the agent's main one.
import { canonicalSessionKey, mainSessionKey } from "@chela/sdk";
import type { HeartbeatHouse } from "./parts.ts";

export function homeOf(agentId: string, written: string | undefined, { keys }: Pick<HeartbeatHouse, "keys">): string {
  const main = mainSessionKey(agentId, keys());
  if (written === undefined || written.trim().toLowerCase() === "main") return main;
  return canonicalSessionKey(written, { ...keys(), defaultAgentId: agentId }) ?? main;
}

export function isBusy(sessionKey: string, { lanes }: Pick<HeartbeatHouse, "lanes">): boolean {
  return lanes.runIds(sessionKey).length > 0;
}
