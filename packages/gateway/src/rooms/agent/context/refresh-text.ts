// Reminder for the agent after a compaction: the parts of AGENTS.md that must never fade.
import { firstChars } from "./cut-text.ts";

const SECTIONS = ["session startup", "red lines"];
const MAX_CHARS = 3000;

const INTRODUCTION = `[Post-compaction context refresh]
The conversation before this point was replaced by a summary. Go through your startup steps again and keep to these rules from AGENTS.md:`;

/** Undefined when AGENTS.md has none of the sections. */
export function postCompactionRefresh(agentsFile: string): string | undefined {
  const sections = readSections(agentsFile).filter(({ title }) => SECTIONS.includes(title.toLowerCase()));
  if (sections.length === 0) return undefined;
  const text = sections.map(({ lines }) => lines.join("\n").trim()).join("\n\n");
  const shown = text.length > MAX_CHARS ? `${firstChars(text, MAX_CHARS)}\n[... cut, see AGENTS.md ...]` : text;
  return `${INTRODUCTION}\n\n${shown}`;
}

interface Section {
  readonly title: string;
  readonly level: number;
  /** With the heading, and with the sections below it. */
  readonly lines: string[];
}

function readSections(markdown: string): Section[] {
  const all: Section[] = [];
  let open: Section[] = [];
  let isCode = false;
  for (const line of markdown.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? null : /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    if (heading) {
      const section = { title: heading[2] ?? "", level: heading[1]?.length ?? 1, lines: [] };
      open = [...open.filter(({ level }) => level < section.level), section];
      all.push(section);
    }
    for (const section of open) section.lines.push(line);
  }
  return all;
}
