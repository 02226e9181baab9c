// Contribution of the room commands.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "commands",
  says: "Answers words for the gateway that are not for a model.",
  topics: { commands: { config: ["commands", "skills"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
};
