// Contribution of the room budgets.
import { methods, type Contribution } from "@chela/sdk";
import { SESSION_USAGE_METHODS, USAGE_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "budgets",
  says: "Limits what may be spent, and reserves it before each call.",
  topics: { usage: { commits: ["usage-add"] } },
  methods: [
    methods(USAGE_METHODS, async (house: House) => (await import("./methods.ts")).usageMethods(house)),
    methods(SESSION_USAGE_METHODS, async (house: House) =>
      (await import("./session-methods.ts")).sessionUsageMethods(house),
    ),
  ],
  commands: async () => (await import("./chat-commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
