// Contribution of the room approvals.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "approvals",
  says: "Decides whether a command may run, and asks people.",
};
