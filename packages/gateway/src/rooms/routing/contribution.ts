// Contribution of the room routing.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "routing",
  says: "Decides which agent and which conversation a message is for.",
  topics: { agents: { config: ["agents", "bindings"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
