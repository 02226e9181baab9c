// Contribution of the room tools.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "tools",
  says: "Decides who may use which tool, and runs calls.",
};
