// Contribution of the room sandbox.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "sandbox",
  says: "Runs the tools of conversations apart from this machine.",
};
