// Own work: what jobs, heartbeats, webhooks and sub-agents need of the house, and how an agent is woken.
import { type Standing, mainSessionKey } from "@chela/sdk";
import type { House } from "../../house/house.ts";

/** What jobs, heartbeats, webhooks and sub-agents need of the house. */
export type OwnWorkHouse = Pick<
  House,
  | "believed"
  | "clock"
  | "ids"
  | "log"
  | "config"
  | "paths"
  | "auth"
  | "ledger"
  | "isAlone"
  | "sessions"
  | "transcripts"
  | "lanes"
  | "runs"
  | "models"
  | "hub"
  | "changes"
  | "sandboxes"
  | "hookTeller"
  | "keys"
  | "agentOf"
  | "inbound"
  | "channels"
  | "hasChannels"
  | "extraChannels"
  | "errands"
  | "wake"
  | "placeFor"
  | "cronSettings"
  | "agents"
>;

/** Something happened that an agent should know of: kept until it is told, and told at once when `mode` says so. */
export interface WakeEvent {
  readonly agentId: string;
  /** The conversation it belongs to; the agent's main one when absent. */
  readonly sessionKey?: string;
  readonly text: string;
  readonly mode: "now" | "next-heartbeat";
  /** What caused it, for the heartbeat's record: "wake", "hook:…", "cron:<id>". */
  readonly reason: string;
  /** One with the same key is not added again. */
  readonly key: string;
  /** Whose words these are: a heartbeat that tells of them may do no more than they may. */
  readonly standing: Standing;
}

export async function wakeAgent(
  house: Pick<House, "ledger" | "clock" | "keys" | "heartbeat">,
  { agentId, sessionKey = mainSessionKey(agentId, house.keys()), mode, ...event }: WakeEvent,
): Promise<void> {
  if (mode === "now") return house.heartbeat.wake({ agentId, sessionKey, ...event });
  const { text, key, standing } = event;
  const aside = { sessionKey, kind: "note" as const, key, at: house.clock.now(), body: { text, standing } };
  await house.ledger.commit([{ kind: "aside-add", aside }]);
}
