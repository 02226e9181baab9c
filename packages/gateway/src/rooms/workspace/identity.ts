// Reads who an agent is from its IDENTITY.md.

export interface AgentIdentity {
  readonly name?: string;
  readonly emoji?: string;
  readonly theme?: string;
  readonly avatar?: string;
}

const LINE = /^\s*(?:[-*+]\s+)?[*_]{0,2}([A-Za-z]+)[*_]{0,2}\s*:[*_]{0,2}\s*(.*)$/;
const LONGEST_VALUE = 500;

/** Takes `Name: …` in any usual markup; the first line of a kind counts. Lines left as they were seeded say nothing. */
export function readIdentity(text: string): AgentIdentity {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key = "", written = ""] = LINE.exec(line) ?? [];
    const value = plainValue(written);
    if (value && !found.has(key.toLowerCase())) found.set(key.toLowerCase(), value);
  }
  const name = found.get("name");
  const emoji = found.get("emoji");
  const theme = found.get("theme") ?? found.get("creature") ?? found.get("vibe");
  const avatar = found.get("avatar");
  return { ...(name && { name }), ...(emoji && { emoji }), ...(theme && { theme }), ...(avatar && { avatar }) };
}

/** A value in brackets is a hint for whoever fills in the form. */
function plainValue(written: string): string {
  const value = written
    .trim()
    .replace(/^([*_`"']{1,8})(.*?)\1$/, "$2")
    .trim()
    .slice(0, LONGEST_VALUE);
  return /^(?:\(.*\)|\[.*\]|<.*>|[-–—…]+)$/.test(value) ? "" : value;
}
