// Contribution of the room cron.
import { methods, type Contribution } from "@chela/sdk";
import { CRON_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "cron",
  says: "Runs jobs when they are due.",
  topics: { jobs: { commits: ["job-put", "job-delete"] } },
  methods: [methods(CRON_METHODS, async (house: House) => (await import("./methods.ts")).cronMethods(house))],
  tools: [async (house) => (await import("./cron-tool.ts")).cronTool(house)],
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
