// Cuts a block in two so that the first part fits: fences are closed and opened again, tables repeat their header.
import { cutInline, wholeCharacterBefore, wholeGraphemeBefore, type CutManner } from "./cut-inline.ts";
import { largestFitting } from "./largest-fitting.ts";
import type { Block, Inline, ListItem } from "./tree.ts";

export interface BlockCut {
  readonly head: Block;
  /** Empty if all of it fits. */
  readonly rest: readonly Block[];
}

type Fits = (head: Block) => boolean;
type Of<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** Nothing if no part of it fits. */
export function cutBlock(block: Block, fits: Fits, manner: CutManner): BlockCut | undefined {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return cutText(block, fits, manner);
    case "code":
      return cutCode(block, fits, manner);
    case "quote":
      return cutQuote(block, fits, manner);
    case "list":
      return cutList(block, fits, manner);
    case "table":
      return cutTable(block, fits, manner);
    case "rule":
      return fits(block) ? { head: block, rest: [] } : undefined;
  }
}

function cutText(block: Of<"paragraph" | "heading">, fits: Fits, manner: CutManner): BlockCut | undefined {
  const cut = cutInline(block.inline, (inline) => fits({ ...block, inline }), manner);
  if (cut === undefined) return undefined;
  const rest = cut.rest.length === 0 ? [] : [{ ...block, inline: cut.rest }];
  return { head: { ...block, inline: cut.head }, rest };
}

function cutCode(block: Of<"code">, fits: Fits, manner: CutManner): BlockCut | undefined {
  const lines = block.text.split("\n");
  const linesUpTo = (count: number) => lines.slice(0, count).join("\n");
  const count = largestFitting(lines.length, (count) => fits({ ...block, text: linesUpTo(count) }), 16);
  if (count > 0) return divideCode(block, linesUpTo(count).length);
  if (manner === "gently") return undefined;
  const line = lines[0] ?? "";
  const most = largestFitting(line.length, (at) =>
    fits({ ...block, text: line.slice(0, wholeCharacterBefore(line, at)) }),
  );
  const place = wholeGraphemeBefore(line, most) || wholeCharacterBefore(line, most);
  return place === 0 ? undefined : divideCode(block, place);
}

function divideCode(block: Of<"code">, at: number): BlockCut {
  const rest = block.text.slice(at).replace(/^(?:[ \t]*\n)+/, "");
  return {
    head: { ...block, text: block.text.slice(0, at) },
    rest: rest.trim() === "" ? [] : [{ ...block, text: rest }],
  };
}

function cutQuote(block: Of<"quote">, fits: Fits, manner: CutManner): BlockCut | undefined {
  const cut = cutBlocks(block.blocks, (blocks) => fits({ ...block, blocks }), manner);
  if (cut === undefined) return undefined;
  return { head: { ...block, blocks: cut.head }, rest: cut.rest.length === 0 ? [] : [{ ...block, blocks: cut.rest }] };
}

interface BlocksCut {
  readonly head: readonly Block[];
  readonly rest: readonly Block[];
}

function cutBlocks(
  blocks: readonly Block[],
  fits: (head: readonly Block[]) => boolean,
  manner: CutManner,
): BlocksCut | undefined {
  const [first, ...others] = blocks;
  // The first one may be long: it is tried bit by bit, and not as a whole.
  const cut = first === undefined ? undefined : cutBlock(first, (head) => fits([head]), manner);
  if (cut === undefined) return undefined;
  if (cut.rest.length > 0) return { head: [cut.head], rest: [...cut.rest, ...others] };
  const count = Math.max(
    1,
    largestFitting(blocks.length, (count) => fits([cut.head, ...blocks.slice(1, count)])),
  );
  return { head: [cut.head, ...blocks.slice(1, count)], rest: blocks.slice(count) };
}

/** What is left of an item goes on without a marker, so that nobody takes it for another item. */
function cutList(block: Of<"list">, fits: Fits, manner: CutManner): BlockCut | undefined {
  const withItems = (items: readonly ListItem[]): Of<"list"> => ({ ...block, items });
  const [first] = block.items;
  if (first === undefined) return undefined;
  const cut =
    first.blocks.length === 0
      ? { head: [], rest: [] }
      : cutBlocks(first.blocks, (blocks) => fits(withItems([{ ...first, blocks }])), manner);
  if (cut === undefined) return undefined;
  const head: ListItem = { ...first, blocks: cut.head };
  if (cut.rest.length > 0) return { head: withItems([head]), rest: [...cut.rest, ...listFrom(block, 1)] };
  const itemsUpTo = (count: number) => withItems([head, ...block.items.slice(1, count)]);
  const count = largestFitting(block.items.length, (count) => fits(itemsUpTo(count)));
  return count === 0 ? undefined : { head: itemsUpTo(count), rest: listFrom(block, count) };
}

function listFrom(block: Of<"list">, count: number): Block[] {
  if (count >= block.items.length) return [];
  return [
    { ...block, ...(block.start !== undefined && { start: block.start + count }), items: block.items.slice(count) },
  ];
}

function cutTable(block: Of<"table">, fits: Fits, manner: CutManner): BlockCut | undefined {
  const count = largestFitting(block.rows.length, (count) => fits({ ...block, rows: block.rows.slice(0, count) }));
  const restFrom = (count: number): Block[] =>
    count >= block.rows.length ? [] : [{ ...block, rows: block.rows.slice(count) }];
  if (count > 0) return { head: { ...block, rows: block.rows.slice(0, count) }, rest: restFrom(count) };
  if (manner === "gently") return undefined;
  const row = block.rows[0];
  const cut = cutBlock(row === undefined ? headerAsLine(block) : rowAsList(block, row), fits, manner);
  return cut === undefined ? undefined : { head: cut.head, rest: [...cut.rest, ...restFrom(1)] };
}

function headerAsLine(block: Of<"table">): Block {
  const inline = block.header.flatMap((cell, index): readonly Inline[] =>
    index === 0 ? cell : [{ kind: "text", text: " | " }, ...cell],
  );
  return { kind: "paragraph", inline };
}

function rowAsList(block: Of<"table">, row: ReadonlyArray<readonly Inline[]>): Block {
  const items = block.header.map((name, column): ListItem => {
    const inline: readonly Inline[] = [...name, { kind: "text", text: ": " }, ...(row[column] ?? [])];
    return { blocks: [{ kind: "paragraph", inline }] };
  });
  return { kind: "list", items };
}
