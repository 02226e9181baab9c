// Writes Markdown in Slack's dialect, mrkdwn: it has no escapes for its marks, and they work only at the edges of words.
import { parseMarkdown, renderBlocks, writeListItem, writeQuote, type Dialect } from "@chela/sdk/markdown";
import { MARKS, placeMarks, withoutMarks } from "./marks.ts";

const INVISIBLE = "\u200B";

export function toMrkdwn(markdown: string): string {
  return placeMarks(renderBlocks(parseMarkdown(markdown), mrkdwn));
}

/** Slack counts what it gets, escapes included. */
export function measure(markdown: string): number {
  return toMrkdwn(markdown).length;
}

/** Slack's own block for Markdown understands mentions, too: nobody calls a whole channel through a model. */
export function toMarkdownBlock(markdown: string): string {
  return markdown.replaceAll("<!", "&lt;!");
}

const mrkdwn: Dialect = {
  text: writeText,
  bold: (inner) => MARKS.bold.open + inner + MARKS.bold.close,
  italic: (inner) => MARKS.italic.open + inner + MARKS.italic.close,
  strike: (inner) => MARKS.strike.open + inner + MARKS.strike.close,
  spoiler: (inner) => inner,
  codeSpan: (text) => `\`${escape(text).replaceAll("`", "ˋ").replace(/\s+/g, " ")}\``,
  link: writeLink,
  image: (alt, href) => writeLink(writeText(alt), href),
  heading: (_level, inner) => MARKS.bold.open + inner + MARKS.bold.close,
  codeBlock: (text) => `\`\`\`\n${escape(text).replace(/`(?=``)/g, `\`${INVISIBLE}`)}\n\`\`\``,
  quote: writeQuote,
  listItem: writeListItem,
  rule: () => "———",
};

function writeText(text: string): string {
  return shieldMarks(escape(text)).replace(/&lt;(@[UW][A-Z0-9]{2,}|#C[A-Z0-9]{2,})&gt;/g, "<$1>");
}

function escape(text: string): string {
  return withoutMarks(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A sign that would begin a mark or a quote gets something invisible beside it, and stays a sign. */
function shieldMarks(text: string): string {
  return text
    .replace(/(?<![\p{L}\p{N}])([*_~`])(?=[^\n]*\1)/gu, `$1${INVISIBLE}`)
    .replace(/^&gt;/gm, `${INVISIBLE}&gt;`);
}

/** `label` is in the dialect already. Slack shows no marks and takes no mentions inside a link. */
function writeLink(label: string, href: string): string {
  const words = withoutMarks(label)
    .replace(/<([@#][A-Z0-9]+)>/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  if (!/^(https?:\/\/|mailto:|tel:)[^\s]/i.test(href)) return words === href ? words : `${words} (${writeText(href)})`;
  const address = escape(href).replaceAll("|", "%7C").replace(/\s/g, "%20");
  return words === "" || words === address ? `<${address}>` : `<${address}|${words}>`;
}
