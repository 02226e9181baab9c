// Contribution of the room access.
import { methods, type Contribution } from "@chela/sdk";
import { PAIRING_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "access",
  says: "Decides whether a sender may speak here.",
  hookEvents: ["message:received"],
  methods: [methods(PAIRING_METHODS, async (house: House) => (await import("./methods.ts")).pairingMethods(house))],
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
