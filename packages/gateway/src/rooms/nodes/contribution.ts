// Contribution of the room nodes.
import { methods, type Contribution } from "@chela/sdk";
import { NODE_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "nodes",
  says: "Calls devices that do things for agents.",
  methods: [methods(NODE_METHODS, async (house: House) => (await import("./methods.ts")).nodeMethods(house))],
  tools: [async (house) => (await import("./nodes-tool.ts")).nodesTool(house)],
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
