// Contribution of the room devices.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "devices",
  says: "Knows which devices may connect, by their keys.",
};
