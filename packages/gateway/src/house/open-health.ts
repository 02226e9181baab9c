// The health snapshot, filled with what the house knows.
import { Health } from "../server/health.ts";
import { listAgents } from "../rooms/routing/room.ts";
import type { House } from "./house.ts";

type HealthHouse = Pick<House, "ledger" | "clock" | "stateDir" | "config" | "heartbeat" | "channels" | "probes">;

export function openHealth(house: HealthHouse): Health {
  const { ledger, clock, stateDir, config } = house;
  return new Health({
    ledger,
    clock,
    stateDir,
    agents: () => listAgents(config.current()),
    heartbeatOf: (agentId) => house.heartbeat.settings(agentId),
    async channels(probe) {
      const side = await house.channels.known();
      if (!side) return undefined;
      const { glanceAtChannels } = await import("../rooms/channels/glance.ts");
      if (probe) await house.probes.askAll(side.channels);
      return glanceAtChannels(side.channels, house.probes);
    },
  });
}
