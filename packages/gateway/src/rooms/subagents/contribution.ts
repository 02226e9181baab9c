// Contribution of the room subagents.
import { methods, type Contribution } from "@chela/sdk";
import { SUBAGENT_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { needsSubagents } from "./is-needed.ts";

export const contribution: Contribution<House> = {
  id: "subagents",
  says: "Starts helpers for a part of an agent's work.",
  methods: [methods(SUBAGENT_METHODS, async (house: House) => (await import("./methods.ts")).subagentMethods(house))],
  services: [
    {
      isNeeded: ({ ledger, stateDir }) => needsSubagents(ledger, stateDir),
      open: (house) => house.subagents(),
    },
  ],
  errands: [
    { kind: "subagent", handler: async (house) => (await house.subagents()).handlers.subagent },
    { kind: "announce", handler: async (house) => (await house.subagents()).handlers.announce },
  ],
  tools: [
    async (house) => (await import("./tools.ts")).sessionsSpawnTool(house),
    async (house) => (await import("./tools.ts")).subagentsTool(house),
  ],
  commands: async () => (await import("./chat-commands.ts")).commands,
};
