// Accounts of channels: connected while they are configured. While none is, nothing of a channel is loaded.
import type { RunningService } from "@chela/sdk";
import type { House } from "../../house/house.ts";

type AccountsHouse = Pick<House, "channels" | "hasChannels" | "log">;

/** Nobody waits for a platform: neither a start nor whoever changed the configuration. */
export function keepAccounts(house: AccountsHouse): RunningService {
  const { channels } = house;
  return {
    start: () => void apply(house),
    configured(changed) {
      if (changed.some((path) => path.startsWith("channels"))) void apply(house);
    },
    // Nothing new comes in while what runs is finished.
    leave: async () => (await channels.known())?.channels.stop(),
  };
}

/** Starts and stops accounts until they are what the configuration says. */
async function apply({ channels, hasChannels, log }: AccountsHouse): Promise<void> {
  try {
    if (channels.known() || hasChannels()) await (await channels()).apply();
  } catch (error) {
    log.error("channels could not be started", { error: String(error) });
  }
}
