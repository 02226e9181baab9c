// Methods about heartbeats: the last one, how they stand, the switch, and waking an agent.
import { GatewayError, namedAgentId } from "@chela/sdk";
import { type HEARTBEAT_METHODS, grantsOf, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type HeartbeatMethods = Pick<Handlers, keyof typeof HEARTBEAT_METHODS>;

export function heartbeatMethods({ heartbeat, wake, agents, keys, ids, log }: House): HeartbeatMethods {
  return {
    "last-heartbeat": async () => (await heartbeat.last()) ?? null,
    "heartbeat.status": async () => ({ enabled: heartbeat.isEnabled(), agents: await heartbeat.status() }),
    async "set-heartbeats"({ enabled }) {
      await heartbeat.setEnabled(enabled);
      log.info("heartbeats switched", { enabled });
      return { ok: true as const, enabled };
    },
    async wake({ mode, text, agentId: named }, { client }) {
      if (text.trim() === "") return { ok: false };
      const agentId = named === undefined ? keys().defaultAgentId : namedAgentId(named);
      if (!agents().some(({ id }) => id === agentId)) {
        throw new GatewayError("AGENT_UNKNOWN", agentId);
      }
      const { standing } = grantsOf(client.scopes);
      await wake({ agentId, text: text.trim(), mode, reason: "wake", key: `wake:${ids.uuid()}`, standing });
      return { ok: true };
    },
  };
}
