// Contribution of the room people.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "people",
  says: "Knows one human over all their ids, with a role and limits.",
};
