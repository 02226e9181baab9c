// Contribution of the room config.
import { methods, type Contribution } from "@chela/sdk";
import { CONFIG_METHODS, SECRET_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "config",
  says: "Reads, checks, watches and writes openclaw.json.",
  methods: [
    methods(CONFIG_METHODS, async (house: House) => (await import("./methods.ts")).configMethods(house)),
    methods(SECRET_METHODS, async (house: House) => (await import("./secret-methods.ts")).secretMethods(house)),
  ],
  tools: [async (house) => (await import("./gateway-tool.ts")).gatewayTool(house)],
  commands: async () => (await import("./chat-commands.ts")).commands,
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
