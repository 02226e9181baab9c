// Methods that tell that the gateway is well, and who is here: health, presence, system events.
import { type MethodParams, type PresenceEntry, invalid, type Handlers, mayRead } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { glimpseOf } from "../health.ts";
import { broadcastPresence } from "../welcome.ts";

/** What of a node's beacon is news when it differs. */
const BEACON_FIELDS = ["host", "ip", "version", "mode", "reason"] as const;

type SystemMethods = Pick<Handlers, "health" | "system-presence" | "gateway.identity.get" | "system-event">;

export function systemMethods(gateway: House): SystemMethods {
  return {
    async health({ probe }, { client }) {
      return mayRead(client) ? gateway.health.get(probe) : glimpseOf(await gateway.health.get());
    },

    "system-presence": () => gateway.presence.list(),

    async "gateway.identity.get"() {
      const { loadOwnIdentity } = await import("../../rooms/devices/own-identity.ts");
      const { deviceId, publicKey } = loadOwnIdentity(gateway);
      return { deviceId, publicKey };
    },

    async "system-event"(params) {
      const key = params.deviceId ?? params.instanceId ?? params.host ?? params.text;
      const { text, ...fields } = params;
      if (!text.trim()) throw invalid("text required");
      const isToldOf = isNews(params, gateway.presence.get(key));
      gateway.presence.put(key, { ...JSON.parse(JSON.stringify(fields)), text });
      if (isToldOf) await tellAgent(gateway, text);
      broadcastPresence(gateway);
      return { ok: true as const };
    },
  };
}

/** Beacons that only say "still here" are for presence, not for the conversation. */
function isNews(params: MethodParams<"system-event">, before: PresenceEntry | undefined): boolean {
  if (/^(periodic|heartbeat)/.test(params.reason ?? "")) return false;
  if (!params.text.startsWith("Node:")) return true;
  return BEACON_FIELDS.some((field) => params[field] !== undefined && params[field] !== before?.[field]);
}

/** The agent hears of it with its next turn or heartbeat. */
async function tellAgent({ wake, keys, ids }: House, text: string): Promise<void> {
  const key = `system-event:${ids.uuid()}`;
  const agentId = keys().defaultAgentId;
  await wake({ agentId, text, mode: "next-heartbeat", reason: "system-event", key, standing: "owner" });
}
