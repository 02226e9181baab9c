// Contribution of the room skills.
import { methods, type Contribution } from "@chela/sdk";
import { SKILL_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "skills",
  says: "Knows what agents were taught, and which of it can be used.",
  methods: [methods(SKILL_METHODS, async (house: House) => (await import("./methods.ts")).skillMethods(house))],
  topics: { skills: { config: ["skills"] } },
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
  doctor: async () => (await import("./doctor.ts")).checks,
  commands: async () => (await import("./chat-commands.ts")).commands,
  tools: [async (house) => (await import("./activation/activate-tool.ts")).activateTool(await activating(house))],
};

async function activating(house: House) {
  const { skills, activation } = await house.skills();
  return { skills, activation, agentIds: () => house.agents().map(({ id }) => id) };
}
