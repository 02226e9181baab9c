// Contribution of the room mcp.
import { methods, type Contribution } from "@chela/sdk";
import { MCP_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { MCP_ROUTES } from "./routes.ts";

export const contribution: Contribution<House> = {
  id: "mcp",
  says: "Lets agents use servers of the Model Context Protocol, and others use this gateway as one.",
  methods: [methods(MCP_METHODS, async (house: House) => (await import("./methods.ts")).mcpMethods(house))],
  routes: MCP_ROUTES,
  topics: { mcp: { config: ["mcp"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
  cli: async () => (await import("./cli/commands.ts")).commands,
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
