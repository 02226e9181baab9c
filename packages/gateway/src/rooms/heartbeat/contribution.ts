// Contribution of the room heartbeat.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "heartbeat",
  says: "Lets an agent look after things by itself.",
};
