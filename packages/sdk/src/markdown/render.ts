// Writes a tree in a channel's dialect: the walk is the same for all of them, only the marks differ.
import type { Dialect } from "./dialect.ts";
import { writeTable } from "./tables.ts";
import type { Block, Inline, ListItem } from "./tree.ts";

export function renderBlocks(blocks: readonly Block[], dialect: Dialect): string {
  return joinBlocks(blocks, dialect, 0, dialect.blockSeparator ?? "\n\n");
}

function joinBlocks(blocks: readonly Block[], dialect: Dialect, depth: number, separator: string): string {
  return blocks
    .map((block) => renderBlock(block, dialect, depth))
    .filter((written) => written !== "")
    .join(separator);
}

function renderBlock(block: Block, dialect: Dialect, depth: number): string {
  switch (block.kind) {
    case "paragraph":
      return unlessEmpty(renderInline(block.inline, dialect), (inner) => dialect.paragraph?.(inner) ?? inner);
    case "heading":
      return unlessEmpty(renderInline(block.inline, dialect), (inner) => dialect.heading(block.level, inner));
    case "code":
      return unlessEmpty(block.text, () => dialect.codeBlock(block.text, block.language));
    case "quote":
      return unlessEmpty(renderBlocks(block.blocks, dialect), (inner) => dialect.quote(inner));
    case "list":
      return renderList(block, dialect, depth);
    case "table":
      return writeTable(block, dialect, (inline) => renderInline(inline, dialect));
    case "rule":
      return dialect.rule();
  }
}

function unlessEmpty(inner: string, write: (inner: string) => string): string {
  return inner.trim() === "" ? "" : write(inner);
}

function renderList(list: Extract<Block, { kind: "list" }>, dialect: Dialect, depth: number): string {
  if (dialect.list !== undefined) {
    const items = list.items.map(
      (item) => checkMarkOf(item, dialect) + joinBlocks(item.blocks, dialect, depth + 1, "\n"),
    );
    return dialect.list(items, list.start);
  }
  return list.items
    .map((item, index) => renderItem(item, list.start === undefined ? undefined : list.start + index, dialect, depth))
    .join("\n");
}

function checkMarkOf(item: ListItem, dialect: Dialect): string {
  return item.isChecked === undefined ? "" : dialect.text(item.isChecked ? "☑ " : "☐ ");
}

/** Only the item's own text stands behind the marker; indenting code or a quote would change it. */
function renderItem(item: ListItem, position: number | undefined, dialect: Dialect, depth: number): string {
  const own = item.blocks.findIndex((block) => block.kind !== "paragraph" && block.kind !== "heading");
  const head = own < 0 ? item.blocks : item.blocks.slice(0, own);
  const inner = head
    .map((block) => ("inline" in block ? renderInline(block.inline, dialect) : ""))
    .filter((written) => written !== "")
    .join("\n");
  const below = own < 0 ? "" : joinBlocks(item.blocks.slice(own), dialect, depth + 1, "\n");
  const first = dialect.listItem(markerOf(item, position), inner, depth).trimEnd();
  return below === "" ? first : `${first}\n${below}`;
}

function markerOf(item: ListItem, position: number | undefined): string {
  if (item.isChecked !== undefined) return item.isChecked ? "☑" : "☐";
  return position === undefined ? "•" : `${position}.`;
}

function renderInline(parts: readonly Inline[], dialect: Dialect): string {
  return parts.map((part) => renderPart(part, dialect)).join("");
}

function renderPart(part: Inline, dialect: Dialect): string {
  switch (part.kind) {
    case "text":
      return dialect.text(part.text);
    case "code":
      return part.text === "" ? "" : dialect.codeSpan(part.text);
    case "break":
      return dialect.lineBreak?.() ?? "\n";
    case "image":
      return part.href === "" ? dialect.text(part.alt) : dialect.image(part.alt, part.href);
    case "link":
      return renderLink(part, dialect);
    case "bold":
    case "italic":
    case "strike":
    case "spoiler":
      return renderMarked(part, dialect);
  }
}

function renderLink(link: Extract<Inline, { kind: "link" }>, dialect: Dialect): string {
  const label = renderInline(link.inline, dialect);
  if (link.href === "") return label;
  return dialect.link(label.trim() === "" ? dialect.text(link.href) : label, link.href);
}

type Marked = Extract<Inline, { kind: "bold" | "italic" | "strike" | "spoiler" }>;

/** Blanks at the edges go outside, where they do not spoil the marks. */
function renderMarked(part: Marked, dialect: Dialect): string {
  const inner = renderInline(part.inline, dialect);
  const core = inner.trim();
  if (core === "") return inner;
  const start = inner.indexOf(core);
  return inner.slice(0, start) + dialect[part.kind](core) + inner.slice(start + core.length);
}
