// Contribution of the room nodes.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "nodes",
  says: "Calls devices that do things for agents.",
  tools: [async (house) => (await import("./nodes-tool.ts")).nodesTool(house)],
};
