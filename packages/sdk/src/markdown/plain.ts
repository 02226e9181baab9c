// Readable plain text, for channels without mark-up, notifications and previews.
import type { Dialect } from "./dialect.ts";
import { writeListItem, writeQuote } from "./lines.ts";
import { parseMarkdown } from "./parse.ts";
import { describeLink } from "./plain-inline.ts";
import { renderBlocks } from "./render.ts";

const asItIs = (text: string): string => text;

export const plainDialect: Dialect = {
  text: asItIs,
  bold: asItIs,
  italic: asItIs,
  strike: asItIs,
  spoiler: asItIs,
  codeSpan: asItIs,
  link: describeLink,
  image: describeLink,
  heading: (_level, inner) => inner,
  codeBlock: asItIs,
  quote: writeQuote,
  listItem: writeListItem,
  rule: () => "---",
};

export function plainText(source: string): string {
  return renderBlocks(parseMarkdown(source), plainDialect);
}
