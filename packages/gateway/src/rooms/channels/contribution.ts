// Contribution of the room channels.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "channels",
  says: "Keeps accounts connected with their messaging platforms.",
  topics: { channels: { config: ["channels"] } },
  cli: async () => (await import("./cli/commands.ts")).commands,
};
