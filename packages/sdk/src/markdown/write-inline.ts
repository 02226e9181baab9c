// Inline parts back to Markdown, with everything escaped that would mean something else.
import type { Inline } from "./tree.ts";

/** For paragraphs: lines stay lines. */
export function writeText(parts: readonly Inline[]): string {
  return writeParts(parts)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(escapeLineStart)
    .join("\n");
}

/** For headings, which have only one line. */
export function writeLine(parts: readonly Inline[]): string {
  return writeParts(parts).replaceAll("\\\n", " ").replaceAll("\n", " ").trim();
}

/** For cells of a table, where a line break has to be HTML. */
export function writeCell(parts: readonly Inline[]): string {
  const written = writeParts(parts).replaceAll("\\\n", "<br>").replaceAll("\n", " ").trim();
  return written.replace(/(?<!\\)\|/g, "\\|");
}

/** Signs that make a list, a heading, a quote or a line of what follows. */
function escapeLineStart(line: string): string {
  return line.replace(/^[#>+=-]/, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
}

/** `before` and `after` are the characters around, which decide what marks mean. */
function writeParts(parts: readonly Inline[], before = "", after = ""): string {
  let written = "";
  for (const [index, part] of parts.entries()) {
    written += writePart(part, written.at(-1) ?? before, firstCharacterOf(parts[index + 1]) ?? after);
  }
  return written;
}

const FIRST_CHARACTERS = {
  break: "\n",
  image: "!",
  link: "[",
  bold: "*",
  italic: "*",
  strike: "~",
  spoiler: "|",
  code: "`",
};

function firstCharacterOf(part: Inline | undefined): string | undefined {
  if (part === undefined) return undefined;
  return part.kind === "text" ? part.text.charAt(0) : FIRST_CHARACTERS[part.kind];
}

function writePart(part: Inline, before: string, after: string): string {
  switch (part.kind) {
    case "text":
      return escapeText(part.text);
    case "break":
      return "\\\n";
    case "code":
      return writeCodeSpan(part.text);
    case "link":
      return writeLink(part.href, part.inline);
    case "image":
      return `![${escapeText(part.alt)}](${writeAddress(part.href)})`;
    case "bold":
      return surround(part.inline, "**");
    case "italic":
      // Underscores keep apart from bold next to it, but do not work inside a word.
      return surround(part.inline, isWordCharacter(before) || isWordCharacter(after) ? "*" : "_");
    case "strike":
      return surround(part.inline, "~~");
    case "spoiler":
      return surround(part.inline, "||");
  }
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Marks must touch what they mark: blanks and line breaks at the edges go outside. */
function surround(parts: readonly Inline[], mark: string): string {
  const inner = writeParts(parts, mark, mark);
  const [, before = "", core = "", after = ""] = /^((?:\\\n|\s)*)(.*?)((?:\\\n|\s)*)$/s.exec(inner) ?? [];
  return core === "" ? inner : before + mark + core + mark + after;
}

function escapeText(text: string): string {
  return text.replace(/\S+/g, (word) => withoutAutolink(word, escapeWord(word))).replace(/!$/, "\\!");
}

function escapeWord(word: string): string {
  return word
    .replace(/[\\`*~[\]|]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(/&(?=#?[a-zA-Z\d]+;)/g, "\\&");
}

/** An address takes in whatever follows it, backslashes too: one with something to escape must not be read as one. */
function withoutAutolink(word: string, escaped: string): string {
  if (word === escaped && /[a-z\d/]$/i.test(word)) return word;
  return escaped.replace(/(?<=https?|ftp|mailto|xmpp):|(?<=www)\.|@/gi, "\\$&");
}

function writeCodeSpan(text: string): string {
  const line = text.replaceAll("\n", " ");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const mark = "`".repeat(longest === 0 ? 1 : longest + 1);
  const needsBlanks = /^`|`$|^ .* $/.test(line);
  return needsBlanks ? `${mark} ${line} ${mark}` : mark + line + mark;
}

function writeLink(href: string, label: readonly Inline[]): string {
  const only = label.length === 1 ? label[0] : undefined;
  if (only?.kind === "text" && only.text === href && /^https?:\/\/[^\s<>]+$/.test(href)) return `<${href}>`;
  return `[${writeParts(label)}](${writeAddress(href)})`;
}

function writeAddress(href: string): string {
  const safe = href
    .replace(/&(?=#?[a-zA-Z\d]+;)/g, "&amp;")
    .replaceAll("\\", "%5C")
    .replace(/\s/g, "%20");
  return /[()<>]/.test(safe) || safe === "" ? `<${safe.replaceAll("<", "%3C").replaceAll(">", "%3E")}>` : safe;
}
