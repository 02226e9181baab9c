// Writes the list of skills as it stands in the prompt: the same bytes for the same skills, and within its measure. Pure.
import { createHash } from "node:crypto";

export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  /** Its SKILL.md, as the agent's tools see it. */
  readonly location: string;
}

export interface ListLimits {
  readonly maxSkillsInPrompt: number;
  readonly maxSkillsPromptChars: number;
}

export interface SkillList {
  /** "" for none. */
  readonly text: string;
  /** How much of it each skill takes. */
  readonly entries: ReadonlyArray<{ readonly name: string; readonly blockChars: number }>;
  /** Another one for another text. */
  readonly version: number;
}

const RULES = [
  "Before a task that one of these fits, call activate_skill with its name (or read its file) and do as it says.",
  "Its paths are relative to its folder.",
].join("\n");

export function writeList(skills: readonly ListedSkill[], limits: ListLimits): SkillList {
  const sorted = skills.toSorted(byName);
  const told = sorted.slice(0, limits.maxSkillsInPrompt);
  const full = told.map((skill) => ({ name: skill.name, block: blockOf(skill) }));
  const fits = (blocks: typeof full) =>
    textOf(blocks, sorted.length - blocks.length).length <= limits.maxSkillsPromptChars;
  let blocks = full;
  if (!fits(blocks))
    blocks = told.map((skill) => ({ name: skill.name, block: blockOf({ ...skill, description: "" }) }));
  while (blocks.length > 0 && !fits(blocks)) blocks = blocks.slice(0, -1);
  const text = blocks.length > 0 ? textOf(blocks, sorted.length - blocks.length) : "";
  return {
    text,
    entries: blocks.map(({ name, block }) => ({ name, blockChars: block.length })),
    version: Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 12), 16),
  };
}

function textOf(blocks: ReadonlyArray<{ readonly block: string }>, left: number): string {
  const more = left > 0 ? [`${left} more are not listed; people can name them.`] : [];
  return [RULES, "<available_skills>", ...blocks.map(({ block }) => block), "</available_skills>", ...more].join("\n");
}

function blockOf({ name, description, location }: ListedSkill): string {
  const lines = [
    `    <name>${escapeXml(name)}</name>`,
    ...(description ? [`    <description>${escapeXml(description)}</description>`] : []),
    `    <location>${escapeXml(location)}</location>`,
  ];
  return ["  <skill>", ...lines, "  </skill>"].join("\n");
}

/** By letters alone, whatever the machine's language is. */
function byName({ name: one }: ListedSkill, { name: other }: ListedSkill): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a !== b) return a < b ? -1 : 1;
  return one < other ? -1 : 1;
}

export function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return text.replaceAll(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
