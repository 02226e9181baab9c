// Contribution of the room config.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "config",
  says: "Reads, checks, watches and writes openclaw.json.",
  tools: [async (house) => (await import("./gateway-tool.ts")).gatewayTool(house)],
};
