// Contribution of the room subagents.
import { methods, type Contribution } from "@chela/sdk";
import { SUBAGENT_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "subagents",
  says: "Starts helpers for a part of an agent's work.",
  methods: [methods(SUBAGENT_METHODS, async (house: House) => (await import("./methods.ts")).subagentMethods(house))],
  tools: [
    async (house) => (await import("./tools.ts")).sessionsSpawnTool(house),
    async (house) => (await import("./tools.ts")).subagentsTool(house),
  ],
  commands: async () => (await import("./chat-commands.ts")).commands,
};
