// Contribution of the room plugins.
import { methods, type Contribution } from "@chela/sdk";
import { PLUGIN_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "plugins",
  says: "Code of others: where it lies, whether it may run, what it may do, its processes.",
  methods: [methods(PLUGIN_METHODS, async (house: House) => (await import("./methods.ts")).pluginMethods(house))],
  services: [
    {
      async open({ plugins }) {
        await plugins.prepare();
        return plugins;
      },
    },
  ],
  topics: { plugins: { config: ["plugins"] } },
  cli: async () => (await import("./cli/commands.ts")).commands,
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
