// Contribution of the room access.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "access",
  says: "Decides whether a sender may speak here.",
  cli: async () => (await import("./cli/commands.ts")).commands,
};
