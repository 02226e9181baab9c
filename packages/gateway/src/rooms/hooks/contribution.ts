// Contribution of the room hooks.
import { methods, type Contribution } from "@chela/sdk";
import { HOOKS_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "hooks",
  says: "Calls the owner's handlers on events.",
  hookEvents: ["gateway:startup", "gateway:shutdown"],
  methods: [methods(HOOKS_METHODS, async (house: House) => (await import("./methods.ts")).hookMethods(house))],
  services: [{ open: async (house) => house.hookTeller }],
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
