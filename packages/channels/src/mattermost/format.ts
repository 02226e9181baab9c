// Markdown as Mattermost reads it: nearly what models write, with everything else escaped and nobody called by accident.
import { parseMarkdown, renderBlocks, writeQuote, type Dialect, type TableMode } from "@chela/sdk/markdown";

/** What a server takes in one post, unless it is an old one. */
export const POST_LIMIT = 16_383;

const INVISIBLE = "\u200b";

export function toMattermost(markdown: string, tables?: TableMode): string {
  return renderBlocks(parseMarkdown(clean(markdown)), tables === undefined ? dialect : { ...dialect, tables });
}

export function measureMattermost(markdown: string): number {
  return toMattermost(markdown).length;
}

function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ");
}

const dialect: Dialect = {
  text: writeText,
  bold: (inner) => `**${inner}**`,
  italic: (inner) => `*${inner}*`,
  strike: (inner) => `~~${inner}~~`,
  spoiler: (inner) => inner,
  codeSpan: writeCodeSpan,
  link: writeLink,
  image: (alt, href) => writeLink(alt.trim() === "" ? writeText(href) : writeText(alt), href),
  heading: (level, inner) => `${"#".repeat(Math.min(6, Math.max(1, level)))} ${inner.replaceAll("\n", " ")}`,
  codeBlock: writeCodeBlock,
  quote: writeQuote,
  listItem: (marker, inner) => `${marker} ${inner}`,
  list: writeList,
  rule: () => "---",
  table: writeTable,
};

function writeText(text: string): string {
  return silence(text)
    .replace(/[\\`*~[\]|]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(/^(\s*)([-+#>=]|\d{1,9}(?=[.)]))/gm, (_whole, blank: string, mark: string) =>
      /\d/.test(mark) ? `${blank}${mark}\\` : `${blank}\\${mark}`,
    );
}

/** A model must not ring the bell of a whole channel. */
function silence(text: string): string {
  return text.replace(/@(?=(?:all|channel|here)\b)/gi, `@${INVISIBLE}`);
}

function writeCodeSpan(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const mark = "`".repeat(longest + 1);
  return /^`|`$/.test(line) ? `${mark} ${line} ${mark}` : mark + line + mark;
}

function writeCodeBlock(text: string, language: string | undefined): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const word = language?.replace(/[^\w+#.-]/g, "") ?? "";
  return `${fence}${word}\n${text}\n${fence}`;
}

function writeLink(label: string, href: string): string {
  if (!/^(?:https?|ftp|mailto|tel|mattermost):/i.test(href)) {
    const address = writeText(href);
    return label === address ? label : `${label} (${address})`;
  }
  const address = href
    .replace(/[\s<>\\]/g, (sign) => encodeURIComponent(sign))
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
  return label === writeText(href) || label === href ? `<${address}>` : `[${label.replaceAll("\n", " ")}](${address})`;
}

function writeList(items: readonly string[], start: number | undefined): string {
  return items
    .map((item, index) => {
      const marker = start === undefined ? "-" : `${start + index}.`;
      return `${marker} ${item.replace(/\n(?!\n|$)/g, `\n${" ".repeat(Math.max(4, marker.length + 1))}`)}`;
    })
    .join("\n");
}

function writeTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const writeRow = (cells: readonly string[]): string => `| ${cells.map(writeCell).join(" | ")} |`;
  return [writeRow(header), `|${" --- |".repeat(header.length)}`, ...rows.map(writeRow)].join("\n");
}

function writeCell(cell: string): string {
  return cell.replace(/\s*\n\s*/g, " ").replace(/(?<!\\)\|/g, "\\|");
}
