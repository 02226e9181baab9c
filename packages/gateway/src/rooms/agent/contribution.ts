// Contribution of the room agent.
import { methods, type Contribution } from "@chela/sdk";
import { AGENTS_METHODS, AGENT_IDENTITY_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "agent",
  says: "Runs the loop between a model and its tools, and chooses what of a conversation fits.",
  hookEvents: ["session:compact:before", "session:compact:after", "agent:turn:start", "agent:turn:end"],
  topics: { runs: { commits: ["turn-begin", "turn-end"] } },
  methods: [
    methods({ ...AGENTS_METHODS, ...AGENT_IDENTITY_METHODS }, async (house: House) =>
      (await import("./methods.ts")).agentsMethods(house),
    ),
  ],
  commands: async () => (await import("./chat-commands.ts")).commands,
};
