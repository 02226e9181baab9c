// Contribution of the room agent.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "agent",
  says: "Runs the loop between a model and its tools, and chooses what of a conversation fits.",
  hookEvents: ["session:compact:before", "session:compact:after", "agent:turn:start", "agent:turn:end"],
  topics: { runs: { commits: ["turn-begin", "turn-end"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
};
