// Markdown in the dialect of IRC: plain lines with codes for bold, italic and monospace.
import { parseMarkdown, plainDialect, renderBlocks, type Dialect, type TableMode } from "@chela/sdk/markdown";
import { stripCodes } from "./receive/codes.ts";

const BOLD = "\u0002";
const ITALIC = "\u001d";
const MONOSPACE = "\u0011";

const ircDialect: Dialect = {
  ...plainDialect,
  text: stripCodes,
  bold: (inner) => BOLD + inner + BOLD,
  italic: (inner) => ITALIC + inner + ITALIC,
  strike: (inner) => `~${inner}~`,
  spoiler: (inner) => `(spoiler) ${inner}`,
  codeSpan: (text) => monospace(stripCodes(text)),
  link: (label, href) => plainDialect.link(label, stripCodes(href)),
  image: (alt, href) => plainDialect.image(stripCodes(alt), stripCodes(href)),
  // The code is a switch: bold inside would switch it off.
  heading: (_level, inner) => BOLD + inner.replaceAll(BOLD, "") + BOLD,
  codeBlock: (text) => stripCodes(text).split("\n").map(monospace).join("\n"),
  blockSeparator: "\n",
};

function monospace(text: string): string {
  return text === "" ? "" : MONOSPACE + text + MONOSPACE;
}

export function renderIrc(markdown: string, tables?: TableMode): string {
  return renderBlocks(parseMarkdown(markdown), tables === undefined ? ircDialect : { ...ircDialect, tables });
}

/** Bytes, since that is what fits into lines. */
export function measureIrc(markdown: string): number {
  return Buffer.byteLength(renderIrc(markdown));
}
