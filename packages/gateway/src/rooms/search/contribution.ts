// Contribution of the room search.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "search",
  says: "Finds words in all conversations.",
  cli: async () => (await import("./cli/commands.ts")).commands,
};
