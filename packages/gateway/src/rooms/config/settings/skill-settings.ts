// Settings of skills, presets filled in, and what each skill is given.
import { filledSection } from "@chela/sdk/config";
import type { ChelaConfig } from "../schema/sections.ts";
import { skillsSection } from "../schema/skills.ts";
import { writtenAgent } from "./defaults.ts";

export function skillSettings(config: ChelaConfig) {
  return filledSection(skillsSection, config.skills);
}

/** The list of the agent, or the one for all; undefined when all skills are meant. */
export function agentSkills(config: ChelaConfig, agentId: string): readonly string[] | undefined {
  return writtenAgent(config, agentId)?.skills ?? config.agents?.defaults?.skills;
}
