// Contribution of the room skills.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "skills",
  says: "Knows what agents were taught, and which of it can be used.",
  commands: async () => (await import("./chat-commands.ts")).commands,
  tools: [async (house) => (await import("./activation/activate-tool.ts")).activateTool(await activating(house))],
};

async function activating(house: House) {
  const { skills, activation } = await house.skills();
  return { skills, activation, agentIds: () => house.agents().map(({ id }) => id) };
}
