// Contribution of the room workspace.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "workspace",
  says: "Looks after an agent's directory and the files of it that the agent is told.",
  hookEvents: ["agent:bootstrap"],
};
