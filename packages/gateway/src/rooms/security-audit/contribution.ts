// Contribution of the room security-audit.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "security-audit",
  says: "Finds what is weak here and what of it can be put right.",
};
