// Decides whether a skill can be used here, and says what is missing. Pure.
import type { Requirements, Skill } from "./reading/skill.ts";

/** What `skills.entries.<key>` says. */
export interface SkillSettings {
  readonly enabled?: boolean | undefined;
  /** Names of the variables it gives. */
  readonly env: readonly string[];
  readonly hasApiKey: boolean;
}

export interface Surroundings {
  readonly platform: string;
  hasProgram(name: string): boolean;
  /** Whether the gateway's own environment has it. */
  hasVariable(name: string): boolean;
  isConfigured(path: string): boolean;
  settingsOf(key: string): SkillSettings;
  /** `skills.allowBundled`; all of them when absent. */
  readonly allowBundled?: readonly string[] | undefined;
}

export interface Missing extends Requirements {
  readonly os: readonly string[];
}

export interface Verdict {
  readonly isEligible: boolean;
  readonly isDisabled: boolean;
  readonly isBlockedByAllowlist: boolean;
  readonly missing: Missing;
  readonly configChecks: ReadonlyArray<{ readonly path: string; readonly satisfied: boolean }>;
  /** In sentences that say what to do; empty for one that can be used. */
  readonly why: readonly string[];
}

export function gate(skill: Skill, isBundled: boolean, around: Surroundings): Verdict {
  const { requires, os } = skill;
  const settings = around.settingsOf(skill.key);
  const isDisabled = settings.enabled === false;
  const isBlockedByAllowlist = isBundled && around.allowBundled !== undefined && !isNamed(skill, around.allowBundled);
  const given = new Set([...settings.env, ...(settings.hasApiKey && skill.primaryEnv ? [skill.primaryEnv] : [])]);
  const configChecks = requires.config.map((path) => ({ path, satisfied: around.isConfigured(path) }));
  const missing: Missing = {
    os: os.length === 0 || os.includes(around.platform) ? [] : os,
    bins: requires.bins.filter((name) => !around.hasProgram(name)),
    anyBins: requires.anyBins.some((name) => around.hasProgram(name)) ? [] : requires.anyBins,
    env: requires.env.filter((name) => !given.has(name) && !around.hasVariable(name)),
    config: configChecks.flatMap(({ path, satisfied }) => (satisfied ? [] : [path])),
  };
  const lacks = skill.always ? { ...missing, bins: [], anyBins: [], env: [], config: [] } : missing;
  const why = [
    ...(isDisabled ? [`It is switched off: skills.entries.${skill.key}.enabled is false.`] : []),
    ...(isBlockedByAllowlist ? ["skills.allowBundled does not name it."] : []),
    ...reasons(lacks, skill, around.platform),
  ];
  return { isEligible: why.length === 0, isDisabled, isBlockedByAllowlist, missing: lacks, configChecks, why };
}

function reasons({ os, bins, anyBins, env, config }: Missing, { key, primaryEnv }: Skill, platform: string): string[] {
  const where = (name: string) =>
    name === primaryEnv ? `skills.entries.${key}.apiKey` : `skills.entries.${key}.env.${name}`;
  return [
    ...(os.length > 0 ? [`It is for ${os.join(", ")}; this is ${platform}.`] : []),
    ...(bins.length > 0 ? [`Programs are missing: ${bins.join(", ")}.`] : []),
    ...(anyBins.length > 0 ? [`One of these programs is needed: ${anyBins.join(", ")}.`] : []),
    ...env.map((name) => `${name} is not set: write it to ${where(name)}.`),
    ...(config.length > 0 ? [`Settings are missing or off: ${config.join(", ")}.`] : []),
  ];
}

function isNamed({ name, key }: Skill, list: readonly string[]): boolean {
  return list.includes(name) || list.includes(key);
}

/** The skills an agent has: its own list takes the place of the one for all, a chat's list narrows it. */
export function isVisible(
  { name, key }: Pick<Skill, "name" | "key">,
  lists: { readonly agent?: readonly string[] | undefined; readonly chat?: readonly string[] | undefined },
): boolean {
  const isIn = (list: readonly string[] | undefined) => list === undefined || list.includes(name) || list.includes(key);
  return isIn(lists.agent) && isIn(lists.chat);
}
