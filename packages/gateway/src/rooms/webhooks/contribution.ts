// Contribution of the room webhooks.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "webhooks",
  says: "Lets other programs tell an agent something over HTTP.",
};
