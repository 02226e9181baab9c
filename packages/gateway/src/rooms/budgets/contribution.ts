// Contribution of the room budgets.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "budgets",
  says: "Limits what may be spent, and reserves it before each call.",
  topics: { usage: { commits: ["usage-add"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
};
