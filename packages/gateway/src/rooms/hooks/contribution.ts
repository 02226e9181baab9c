// Contribution of the room hooks.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "hooks",
  says: "Calls the owner's handlers on events.",
};
