// Contribution of the room delivery.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "delivery",
  says: "Cuts replies for their channels, sends them and notes the receipts.",
};
