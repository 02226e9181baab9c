// Markdown to a tree. Reads GitHub's Markdown and ||spoilers||; HTML is text like any other, but for <br>.
import type { MarkedToken, Token, Tokens } from "marked";
import { readTokens, workBudgetFor } from "./bounded-tokenizer.ts";
import { decodeEntities } from "./entities.ts";
import { tidyInline } from "./inline.ts";
import { sectionsOf } from "./sections.ts";
import type { Block, Inline, ListItem } from "./tree.ts";

/** Longer than any message: nobody reads it, and nothing in it is worth formatting. */
const MAX_LENGTH = 1_000_000;

/** Never fails: what cannot be read, or is made to be hard to read, is a paragraph of plain text. */
export function parseMarkdown(source: string): readonly Block[] {
  return parseWithSource(source).map(({ block }) => block);
}

/** A block together with the lines it was read from. */
export interface SourcedBlock {
  readonly block: Block;
  readonly source: string;
  /** The blanks between the block before and this one. */
  readonly gapBefore: string;
}

export function parseWithSource(source: string): readonly SourcedBlock[] {
  const text = source.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
  if (text.trim() === "") return [];
  if (text.length > MAX_LENGTH) return [asPlainText(text, "")];
  const budget = workBudgetFor(text);
  return sectionsOf(text).flatMap((section, index) => {
    const gap = index === 0 ? "" : "\n";
    const tokens = readTokens(section, budget);
    return tokens === undefined ? [asPlainText(section, gap)] : withSource(tokens, gap);
  });
}

function asPlainText(text: string, gapBefore: string): SourcedBlock {
  return { block: asPlainParagraph(text), source: text.trim(), gapBefore };
}

function withSource(tokens: readonly Token[], firstGap: string): SourcedBlock[] {
  const result: SourcedBlock[] = [];
  let gapBefore = firstGap;
  for (const token of tokens) {
    const source = token.raw.replace(/^\n+|\n+$/g, "");
    const [block] = blockOf(token as MarkedToken);
    if (block === undefined) {
      gapBefore += token.raw;
      continue;
    }
    const start = token.raw.indexOf(source);
    result.push({ block, source, gapBefore: gapBefore + token.raw.slice(0, start) });
    gapBefore = token.raw.slice(start + source.length);
  }
  return result;
}

function asPlainParagraph(text: string): Block {
  return { kind: "paragraph", inline: [{ kind: "text", text: text.trim() }] };
}

function blocksOf(tokens: readonly Token[]): Block[] {
  return tokens.flatMap((token) => blockOf(token as MarkedToken));
}

function blockOf(token: MarkedToken): Block[] {
  switch (token.type) {
    case "paragraph":
      return paragraphOf(inlineOf(token.tokens));
    case "text":
      return paragraphOf(token.tokens === undefined ? textOf(token.text) : inlineOf(token.tokens));
    case "heading":
      return [{ kind: "heading", level: token.depth, inline: inlineOf(token.tokens) }];
    case "code":
      return [codeOf(token)];
    case "blockquote":
      return [{ kind: "quote", blocks: blocksOf(token.tokens) }];
    case "list":
      return [listOf(token)];
    case "table":
      return [tableOf(token)];
    case "hr":
      return [{ kind: "rule" }];
    case "html":
      return paragraphOf(htmlAsText(token.text.trim()));
    case "space":
    case "def":
    case "checkbox":
      return [];
    default:
      return paragraphOf(inlineOf([token]));
  }
}

function paragraphOf(inline: readonly Inline[]): Block[] {
  return inline.length === 0 ? [] : [{ kind: "paragraph", inline }];
}

function codeOf(token: Tokens.Code): Block {
  const language = token.lang?.trim().split(/\s/, 1)[0] ?? "";
  return { kind: "code", text: token.text, ...(language !== "" && { language }) };
}

function listOf(token: Tokens.List): Block {
  const items = token.items.map((item): ListItem => {
    const blocks = blocksOf(item.tokens);
    return item.task ? { isChecked: item.checked === true, blocks } : { blocks };
  });
  return { kind: "list", ...(token.ordered && { start: Number(token.start) }), items };
}

function tableOf(token: Tokens.Table): Block {
  const cellsOf = (cells: readonly Tokens.TableCell[]) => cells.map((cell) => inlineOf(cell.tokens));
  const align = token.align.map((side) => side ?? undefined);
  return {
    kind: "table",
    header: cellsOf(token.header),
    rows: token.rows.map(cellsOf),
    ...(align.some((side) => side !== undefined) && { align }),
  };
}

function inlineOf(tokens: readonly Token[]): readonly Inline[] {
  return tidyInline(tokens.flatMap((token) => inlineOfOne(token as MarkedToken)));
}

function inlineOfOne(token: MarkedToken): readonly Inline[] {
  switch (token.type) {
    case "strong":
      return [{ kind: "bold", inline: inlineOf(token.tokens) }];
    case "em":
      return [{ kind: "italic", inline: inlineOf(token.tokens) }];
    case "del":
      return [{ kind: "strike", inline: inlineOf(token.tokens) }];
    case "codespan":
      return [{ kind: "code", text: token.text }];
    case "br":
      return [{ kind: "break" }];
    case "link":
      return linkOf(token);
    case "image":
      return imageOf(token);
    case "html":
      return htmlAsText(token.text);
    case "escape":
      // Apart from its neighbours, so that an escaped character is never read as a mark of a spoiler.
      return [{ kind: "text", text: token.text }];
    case "text":
      return token.tokens === undefined ? textOf(token.text) : inlineOf(token.tokens);
    case "checkbox":
      return [];
    default:
      return [{ kind: "text", text: token.raw }];
  }
}

function textOf(text: string): Inline[] {
  return text === "" ? [] : [{ kind: "text", text: decodeEntities(text) }];
}

function htmlAsText(html: string): Inline[] {
  return html.split(/<br\s*\/?>\n?/i).flatMap((text, index): Inline[] => {
    const rest: Inline[] = text === "" ? [] : [{ kind: "text", text }];
    return index === 0 ? rest : [{ kind: "break" }, ...rest];
  });
}

/** Addresses that run something, or show what they bring themselves, are no links: they stay text. */
const UNSAFE_SCHEME = /^\s*(?:javascript|vbscript|data|file|blob):/i;

function linkOf(token: Tokens.Link): readonly Inline[] {
  const href = token.autolink === true ? token.href : decodeEntities(token.href);
  if (UNSAFE_SCHEME.test(href)) return [{ kind: "text", text: token.raw }];
  if (token.autolink === true) return [{ kind: "link", href, inline: [{ kind: "text", text: token.text }] }];
  return [{ kind: "link", href, inline: inlineOf(token.tokens) }];
}

function imageOf(token: Tokens.Image): readonly Inline[] {
  const href = decodeEntities(token.href);
  if (UNSAFE_SCHEME.test(href)) return [{ kind: "text", text: token.raw }];
  return [{ kind: "image", href, alt: decodeEntities(token.text) }];
}
