// Text of a tree, without its mark-up: two texts that say the same differ only in mark-up and blanks.
import type { Block, Inline } from "./tree.ts";

/** All letters in order, without blanks. */
export function textContent(blocks: readonly Block[]): string {
  return blocks.map(blockText).join("").replace(/\s+/g, "");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return inlineText(block.inline);
    case "code":
      return block.text;
    case "quote":
      return block.blocks.map(blockText).join("");
    case "list":
      return block.items.flatMap((item) => item.blocks.map(blockText)).join("");
    case "table":
      return [block.header, ...block.rows].flatMap((cells) => cells.map(inlineText)).join("");
    case "rule":
      return "";
  }
}

function inlineText(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === "break") return "";
      if (part.kind === "image") return part.alt;
      return "text" in part ? part.text : inlineText(part.inline);
    })
    .join("");
}

/** The same without bold and the like: nothing that could be misread next to its neighbours. */
export function withoutMarks(block: Block): Block {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return { ...block, inline: unmark(block.inline) };
    case "quote":
      return { ...block, blocks: block.blocks.map(withoutMarks) };
    case "list":
      return { ...block, items: block.items.map((item) => ({ ...item, blocks: item.blocks.map(withoutMarks) })) };
    case "table":
      return { ...block, header: block.header.map(unmark), rows: block.rows.map((row) => row.map(unmark)) };
    default:
      return block;
  }
}

function unmark(parts: readonly Inline[]): readonly Inline[] {
  return parts.flatMap((part) => {
    if (!("inline" in part)) return [part];
    return part.kind === "link" ? [{ ...part, inline: unmark(part.inline) }] : unmark(part.inline);
  });
}

/** The same words as lines of text, with addresses behind what they belong to. For what fits in no other way. */
export function asPlainBlock(block: Block): Block {
  return { kind: "paragraph", inline: [{ kind: "text", text: linesOf(block).join("\n") }] };
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return [asPlainWords(block.inline)];
    case "code":
      return [block.text];
    case "quote":
      return block.blocks.flatMap(linesOf);
    case "list":
      return block.items.flatMap((item) => item.blocks.flatMap(linesOf));
    case "table":
      return [block.header, ...block.rows].flatMap((cells) => cells.map(asPlainWords));
    case "rule":
      return [];
  }
}

export function asPlainWords(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === "break") return "\n";
      if (part.kind === "image") return withAddress(part.alt, part.href);
      if (part.kind === "link") return withAddress(asPlainWords(part.inline), part.href);
      return "text" in part ? part.text : asPlainWords(part.inline);
    })
    .join("");
}

function withAddress(words: string, href: string): string {
  const saysNothingNew = href === "" || words === href || `mailto:${words}` === href;
  return saysNothingNew ? words : `${words} ${href}`;
}
