// Ends a turn of a sub-agent, or of news for its parent.
import type { SubagentWorkHouse } from "./parts.ts";

export function stopTurn({ inbound }: Pick<SubagentWorkHouse, "inbound">, sessionKey: string, runId: string): void {
  void inbound.stop(sessionKey, "rpc", runId);
}

/** Ends a turn here; the next start goes on with it. */
export function leaveTurn({ inbound }: Pick<SubagentWorkHouse, "inbound">, sessionKey: string, runId: string): void {
  void inbound.stop(sessionKey, "shutdown", runId);
}
