// Contribution of the room errands.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "errands",
  says: "Carries out work nobody typed, once, until its result has arrived.",
  topics: { errands: { commits: ["errand-add", "errand-state"] } },
};
