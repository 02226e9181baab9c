// Contribution of the room webhooks.
import { methods, type Contribution } from "@chela/sdk";
import { WEBHOOK_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { WEBHOOK_ROUTE } from "./route.ts";

export const contribution: Contribution<House> = {
  id: "webhooks",
  says: "Lets other programs tell an agent something over HTTP.",
  hookEvents: ["webhook:received"],
  methods: [methods(WEBHOOK_METHODS, async (house: House) => (await import("./methods.ts")).webhookMethods(house))],
  errands: [{ kind: "hook", handler: async (house) => (await house.webhooks()).handler }],
  routes: [WEBHOOK_ROUTE],
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
