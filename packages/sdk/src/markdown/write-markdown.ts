// A tree back to Markdown, so that it reads as the same tree. Used for blocks that had to be cut.
import { writeQuote } from "./lines.ts";
import type { Block, ListItem } from "./tree.ts";
import { writeCell, writeLine, writeText } from "./write-inline.ts";

export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks
    .map((block, index) => writeBlock(block, index % 2 === 1))
    .filter((written) => written !== "")
    .join("\n\n");
}

/** Lists that follow each other need different marks, or they would be read as one. */
function writeBlock(block: Block, hasOtherMark: boolean): string {
  switch (block.kind) {
    case "paragraph":
      return writeText(block.inline);
    case "heading":
      return `${"#".repeat(block.level)} ${writeLine(block.inline).replace(/#$/, "\\#")}`;
    case "code":
      return writeCode(block.text, block.language ?? "");
    case "quote":
      return writeQuote(writeMarkdown(block.blocks));
    case "list":
      return block.items.map((item, index) => writeItem(item, markOf(block.start, index, hasOtherMark))).join("\n");
    case "table":
      return writeRows(
        block.header.map(writeCell),
        block.rows.map((row) => row.map(writeCell)),
        block.align ?? [],
      );
    case "rule":
      return "---";
  }
}

function writeCode(text: string, language: string): string {
  const sign = language.includes("`") ? "~" : "`";
  const runs = text.match(sign === "`" ? /`+/g : /~+/g) ?? [];
  const fence = sign.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** No more digits than a list may have. */
const MAX_NUMBER = 999_999_999;

function markOf(start: number | undefined, index: number, hasOtherMark: boolean): string {
  if (start === undefined || start + index > MAX_NUMBER) return hasOtherMark ? "*" : "-";
  return `${start + index}${hasOtherMark ? ")" : "."}`;
}

function writeItem(item: ListItem, mark: string): string {
  const box = item.isChecked === undefined ? "" : item.isChecked ? "[x] " : "[ ] ";
  const [first, ...others] = item.blocks;
  const inner = [
    ...(first === undefined ? [] : [writeBlock(first, false)]),
    ...others.map((block, index) => (canFollowDirectly(block) ? "\n" : "\n\n") + writeBlock(block, index % 2 === 0)),
  ].join("");
  const indent = " ".repeat(mark.length + 1);
  return `${mark} ${box}${inner.replace(/\n(?!\n)/g, `\n${indent}`)}`.trimEnd();
}

function canFollowDirectly(block: Block): boolean {
  return block.kind === "list" && (block.start === undefined || block.start === 1);
}

/** Below the header: to which side a column is set. */
const LINES = { left: ":--", center: ":-:", right: "--:", none: "---" } as const;

function writeRows(
  header: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  align: ReadonlyArray<"left" | "center" | "right" | undefined>,
): string {
  const write = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [write(header), write(header.map((_, column) => LINES[align[column] ?? "none"])), ...rows.map(write)].join(
    "\n",
  );
}
