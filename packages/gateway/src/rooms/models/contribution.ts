// Contribution of the room models.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "models",
  says: "Asks models: catalogue, credentials, failover and wire protocols.",
};
