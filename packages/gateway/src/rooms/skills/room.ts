// The skills room owns what agents were taught in folders with a SKILL.md: where they lie, which can be used, and what they are given.
export { Activation, type GivenToSkill, type SkillCaller } from "./activation/activate.ts";
export { insidePlace, SandboxCopies } from "./activation/sandbox-copies.ts";
export type { Surroundings } from "./gate.ts";
export type { SkillList } from "./listing/write-list.ts";
export { skillFacts } from "./skill-facts.ts";
export { InstalledSkills } from "./sources/installed.ts";
export { createRegistry, type Registry } from "./sources/registry.ts";
export type { SkillPlace } from "./reading/find-skills.ts";
export { forModels, managedPlace, Skills } from "./skills.ts";
