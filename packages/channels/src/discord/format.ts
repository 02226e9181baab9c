// Writes Markdown in Discord's dialect. Whatever Discord has no mark for becomes something readable.
import { parseMarkdown, renderBlocks, writeListItem, type Dialect } from "@chela/sdk/markdown";

const ADDRESS = /https?:\/\/[^\s<]+/g;
const DEEPEST_HEADING = 3;

const dialect: Dialect = {
  text: escapeText,
  bold: (inner) => `**${inner}**`,
  italic: (inner) => `*${inner}*`,
  strike: (inner) => `~~${inner}~~`,
  spoiler: (inner) => `||${inner}||`,
  codeSpan: writeCodeSpan,
  link: writeLink,
  image: (alt, href) => writeLink(escapeText(alt.trim() || href), href),
  heading: (level, inner) => {
    const line = inner.replaceAll("\n", " ");
    return level <= DEEPEST_HEADING ? `${"#".repeat(level)} ${line}` : `**${line}**`;
  },
  codeBlock: writeCodeBlock,
  quote: (inner) =>
    inner
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
  listItem: (marker, inner, depth) => writeListItem(bulletFor(marker), inner, depth),
  rule: () => "───",
};

export function toDiscord(markdown: string): string {
  return renderBlocks(parseMarkdown(markdown), dialect);
}

/** Discord counts the marks, too. */
export function measure(markdown: string): number {
  return toDiscord(markdown).length;
}

/** What only looks like a mark or a mention is shown as it is written; addresses stay whole, Discord finds them itself. */
function escapeText(text: string): string {
  let written = "";
  let done = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    written += escapeWords(text.slice(done, index)) + address;
    done = index + address.length;
  }
  return written + escapeWords(text.slice(done));
}

function escapeWords(words: string): string {
  return words
    .replace(/[\\*~|`[\]]/g, "\\$&")
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_")
    .replace(/<(?=[@#:/A-Za-z])/g, "\\<")
    .replace(/@(?=everyone|here)/g, "@\u200b")
    .replace(/^([ \t]*)([>#+-])/gm, "$1\\$2")
    .replace(/^([ \t]*\d+)([.)])(?=\s)/gm, "$1\\$2");
}

/** Three backticks begin a block wherever they stand, so two must do; longer runs inside are broken up invisibly. */
function writeCodeSpan(text: string): string {
  const line = text.replaceAll("\n", " ");
  if (!line.includes("`")) return `\`${line}\``;
  return `\`\` ${line.replace(/`{2,}/g, (run) => [...run].join("\u200b"))} \`\``;
}

/** A fence inside the code would end it: an invisible character breaks it up. */
function writeCodeBlock(text: string, language: string | undefined): string {
  const name = language !== undefined && /^[\w+#.-]{1,30}$/.test(language) ? language : "";
  return `\`\`\`${name}\n${text.replaceAll("```", "``\u200b`")}\n\`\`\``;
}

/** Discord shows no link whose words are an address themselves, and knows no other addresses than those of the web. */
function writeLink(label: string, href: string): string {
  const words = label.replaceAll("\n", " ").replaceAll("\\[", "(").replaceAll("\\]", ")");
  if (!/^https?:\/\/[^\s]+$/i.test(href)) return href === "" ? words : describe(words, escapeText(href));
  const address = href.replace(/[()<>\\]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
  if (words === href || words === escapeText(href)) return address;
  return /https?:\/\//i.test(words) ? describe(words, address) : `[${words}](${address})`;
}

function describe(words: string, href: string): string {
  return words === href || `mailto:${words}` === href ? words : `${words} (${href})`;
}

function bulletFor(marker: string): string {
  if (marker === "•") return "-";
  return /^\d/.test(marker) ? marker : `- ${marker}`;
}
