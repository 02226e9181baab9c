// Contribution of the room commands.
import { methods, type Contribution } from "@chela/sdk";
import { COMMAND_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "commands",
  says: "Answers words for the gateway that are not for a model.",
  hookEvents: ["command:new", "command:reset", "command:stop", "command:given"],
  topics: { commands: { config: ["commands", "skills"] } },
  methods: [methods(COMMAND_METHODS, async (house: House) => (await import("./methods.ts")).commandMethods(house))],
  commands: async () => (await import("./chat-commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
