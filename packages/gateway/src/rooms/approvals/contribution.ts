// Contribution of the room approvals.
import { methods, type Contribution } from "@chela/sdk";
import { APPROVAL_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "approvals",
  says: "Decides whether a command may run, and asks people.",
  methods: [methods(APPROVAL_METHODS, async (house: House) => (await import("./methods.ts")).approvalMethods(house))],
  commands: async () => (await import("./chat-commands.ts")).commands,
  cli: async () => (await import("./cli/commands.ts")).commands,
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
