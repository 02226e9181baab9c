// Tables for channels that have none: drawn in a code block, or as one bullet list per row.
import type { Dialect } from "./dialect.ts";
import { tidyInline } from "./inline.ts";
import { plainInline } from "./plain-inline.ts";
import type { Block, Inline } from "./tree.ts";

type Table = Extract<Block, { kind: "table" }>;
type WriteInline = (inline: readonly Inline[]) => string;

export function writeTable(table: Table, dialect: Dialect, write: WriteInline): string {
  const header = table.header.map(write);
  const rows = table.rows.map((row) => row.map(write));
  if (dialect.tables === undefined && dialect.table !== undefined) return dialect.table(header, rows);
  if (dialect.tables === "bullets") {
    const titles = table.rows.map(([first = []]) => write(tidyInline([{ kind: "bold", inline: first }])));
    return tableAsBullets(header, rows, titles, dialect);
  }
  if (dialect.tables === "off") return [header, ...rows].map((cells) => cells.join(dialect.text(" | "))).join("\n");
  return tableAsCode(table, dialect);
}

function tableAsCode(table: Table, dialect: Dialect): string {
  const header = table.header.map(plainInline);
  const rows = table.rows.map((row) => row.map(plainInline));
  return dialect.codeBlock(drawGrid(header, rows), undefined);
}

function drawGrid(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((cells) => displayWidth(cells[column] ?? ""))),
  );
  const draw = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => padTo(cells[column] ?? "", width)).join(" | ")} |`;
  const line = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [draw(header), line, ...rows.map(draw)].join("\n");
}

function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

const NO_WIDTH = /\p{M}|\p{Cf}|\p{Variation_Selector}/u;
const DOUBLE_WIDTH =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** In columns of a monospaced font, near enough for a table. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (NO_WIDTH.test(character)) continue;
    width += DOUBLE_WIDTH.test(character) ? 2 : 1;
  }
  return width;
}

/** Two columns are `• name: value`; with more, the first cell is a title over the others. */
function tableAsBullets(
  header: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  titles: readonly string[],
  dialect: Dialect,
): string {
  const colon = dialect.text(": ");
  const bullet = (...parts: string[]) =>
    dialect.listItem("•", parts.filter((part) => part.trim() !== "").join(colon), 0);
  if (header.length <= 2) return rows.map((cells) => bullet(...cells)).join("\n");
  return rows
    .map((cells, index) => {
      const bullets = cells.map((cell, column) => (cell.trim() === "" ? "" : bullet(header[column] ?? "", cell)));
      return [titles[index] ?? "", ...bullets.slice(1)].filter((line) => line !== "").join("\n");
    })
    .join("\n\n");
}
