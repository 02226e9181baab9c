// Contribution of the room audit.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "audit",
  says: "Records who did what, so that a change of the record is noticed.",
};
