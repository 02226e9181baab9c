// The tool `activate_skill`: tells a model how something is done here.
import * as z from "zod";
import { once, type Tool } from "@chela/sdk";
import type { Skills } from "../skills.ts";
import type { Activation } from "./activate.ts";

const Parameters = once(() => z.object({ name: z.string().min(1).describe("As in available_skills") }));

interface ToolParts {
  readonly skills: Skills;
  readonly activation: Activation;
  agentIds(): readonly string[];
}

export function activateTool({ skills, activation, agentIds }: ToolParts): Tool<ReturnType<typeof Parameters>> {
  return {
    name: "activate_skill",
    label: "Activate skill",
    description: "Tells you how a skill is done. Call it before you begin with what the skill is for.",
    family: "agents",
    profiles: ["coding", "messaging"],
    inSandbox: "allowed",
    notForGuests: true,
    effects: ["read"],
    // It shows the agent's own skills, whose copies the sandbox has.
    keepsToSandbox: true,
    parameters: Parameters,
    unavailable: ({ agentId }) => (skills.look(agentId).ready.length > 0 ? undefined : "no skill can be used here"),
    circumstances: () =>
      agentIds()
        .map((id) => (skills.look(id).ready.length > 0 ? 1 : 0))
        .join(""),
    async run({ name }, context) {
      const done = await activation.activate(context, name);
      if (done.kind === "unusable") return { content: [{ type: "text", text: done.why }], isError: true };
      const { skill } = done;
      const text =
        done.kind === "activated"
          ? done.text
          : `The skill "${skill.name}" is active already: its text stands above in this conversation, and goes on to hold.`;
      return { content: [{ type: "text", text }], details: { skill: skill.name, source: skill.source } };
    },
  };
}
