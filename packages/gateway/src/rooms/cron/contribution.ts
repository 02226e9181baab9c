// Contribution of the room cron.
import { methods, type Contribution } from "@chela/sdk";
import { CRON_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { needsCron } from "./is-needed.ts";
import { COMMANDS_OF_JOBS } from "./store/believed-commands.ts";

export const contribution: Contribution<House> = {
  id: "cron",
  says: "Runs jobs when they are due.",
  hookEvents: ["cron:start", "cron:end"],
  topics: { jobs: { commits: ["job-put", "job-delete"] } },
  methods: [methods(CRON_METHODS, async (house: House) => (await import("./methods.ts")).cronMethods(house))],
  services: [
    {
      isNeeded: ({ ledger, cronSettings }) => needsCron(ledger, cronSettings().storePath),
      open: (house) => house.cron(),
    },
    {
      // Looked at before an agent runs: what appears in the file later is known to be new.
      async open({ believed }) {
        believed.sift(COMMANDS_OF_JOBS, []);
        return {};
      },
    },
  ],
  errands: [{ kind: "cron", handler: async (house) => (await house.cron()).handler }],
  tools: [async (house) => (await import("./cron-tool.ts")).cronTool(house)],
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
