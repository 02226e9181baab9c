// What a model is given when a skill is activated: its text, and what lies in its folder. Pure.
import { escapeXml } from "../listing/write-list.ts";

export interface ToldSkill {
  readonly name: string;
  readonly body: string;
  /** Its folder, as the agent's tools see it. */
  readonly folder: string;
  /** What lies beside SKILL.md. */
  readonly files: readonly string[];
}

const MOST_CHARS = 60_000;
const MOST_FILES = 50;

export function skillText({ name, body, folder, files }: ToldSkill): string {
  const filled = body.replaceAll("{baseDir}", folder);
  const cut = filled.length > MOST_CHARS;
  const text = cut ? `${filled.slice(0, MOST_CHARS)}\n[Cut here. Read the rest in ${folder}/SKILL.md]` : filled;
  const shown = files.filter((file) => file.toLowerCase() !== "skill.md").slice(0, MOST_FILES);
  return [
    `<skill_content name="${escapeXml(name)}">`,
    // Nothing a skill says ends its own part.
    text.replaceAll(/<\/(?=skill_content>)/gi, "<\\/"),
    "",
    `Folder of this skill: ${folder}`,
    ...(shown.length > 0
      ? ["<skill_resources>", ...shown.map((file) => `  <file>${escapeXml(file)}</file>`), "</skill_resources>"]
      : []),
    "</skill_content>",
  ].join("\n");
}
