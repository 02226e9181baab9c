// Contribution of the room subagents.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "subagents",
  says: "Starts helpers for a part of an agent's work.",
  tools: [
    async (house) => (await import("./tools.ts")).sessionsSpawnTool(house),
    async (house) => (await import("./tools.ts")).subagentsTool(house),
  ],
};
