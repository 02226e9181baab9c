// Contribution of the room models.
import { methods, type Contribution } from "@chela/sdk";
import { MODEL_METHODS, SETUP_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "models",
  says: "Asks models: catalogue, credentials, failover and wire protocols.",
  methods: [
    methods(MODEL_METHODS, async (house: House) => (await import("./methods.ts")).modelMethods(house)),
    methods(SETUP_METHODS, async (house: House) => (await import("./setup/methods.ts")).setupMethods(house)),
  ],
  topics: { models: { config: ["auth", "models"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
