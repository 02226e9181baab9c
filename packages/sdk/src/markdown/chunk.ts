// Cuts a text in Markdown into pieces that fit a channel's messages, each of them whole Markdown.
import { cutBlock } from "./cut-block.ts";
import type { CutManner } from "./cut-inline.ts";
import { largestFitting } from "./largest-fitting.ts";
import { parseMarkdown, parseWithSource, type SourcedBlock } from "./parse.ts";
import { asPlainBlock, textContent, withoutMarks } from "./text-content.ts";
import type { Block } from "./tree.ts";
import { writeMarkdown } from "./write-markdown.ts";

export interface ChunkOptions {
  readonly limit: number;
  /** How long a piece is on the channel, such as the length of what it renders to. */
  measure(markdown: string): number;
  /** `newline` cuts only at empty lines, where that is possible; `length` fills each message. */
  readonly mode?: "length" | "newline";
}

type Fits = (source: string) => boolean;

/** A block that waits to be sent. What is left of a cut is written only when needed: it may be long. */
interface Pending {
  readonly block: Block;
  readonly gapBefore: string;
  readonly source?: string;
}

/** What fits is handed back untouched; a text of blanks has no pieces. */
export function chunkMarkdown(source: string, options: ChunkOptions): string[] {
  if (source.trim() === "") return [];
  const fits: Fits = (markdown) => options.measure(markdown) <= options.limit;
  if (fits(source)) return [source];
  const chunks: string[] = [];
  let pending: readonly Pending[] = parseWithSource(source);
  while (pending.length > 0) {
    const { chunk, rest } = takeChunk(pending, fits, options.mode ?? "length");
    if (chunk.trim() !== "") chunks.push(chunk);
    pending = rest;
  }
  return chunks;
}

interface TakenChunk {
  readonly chunk: string;
  readonly rest: readonly Pending[];
}

function takeChunk(pending: readonly Pending[], fits: Fits, mode: "length" | "newline"): TakenChunk {
  const [first, ...others] = pending;
  if (first === undefined) return { chunk: "", rest: [] };
  if (first.source !== undefined) return takeWhole([settle(first), ...others], fits, mode);
  const cut = cutFirst(first.block, fits);
  if (cut.rest.length > 0) return { chunk: cut.head, rest: pendingAfter(cut.rest, others) };
  return takeWhole([{ ...first, source: cut.head }, ...others], fits, mode);
}

function takeWhole(pending: readonly Pending[], fits: Fits, mode: "length" | "newline"): TakenChunk {
  const count = largestFitting(pending.length, (count) => fits(compose(pending.slice(0, count))));
  const [first, ...others] = pending;
  if (count === 0 && first !== undefined) {
    const cut = cutFirst(first.block, fits);
    return { chunk: cut.head, rest: pendingAfter(cut.rest, others) };
  }
  const filled = mode === "length" ? fillUp(pending, count, fits) : undefined;
  if (filled !== undefined) return filled;
  const kept = withoutTrailingHeadings(pending, count);
  return { chunk: compose(pending.slice(0, kept)), rest: pending.slice(kept) };
}

/** The source as it was, with the blanks between the blocks as they were. */
function compose(pending: readonly Pending[]): string {
  return pending.map((piece, index) => (index === 0 ? "" : piece.gapBefore) + settle(piece).source).join("");
}

/** A heading belongs to what follows it. */
function withoutTrailingHeadings(pending: readonly Pending[], count: number): number {
  if (count === pending.length) return count;
  let kept = count;
  while (kept > 0 && pending[kept - 1]?.block.kind === "heading") kept--;
  return kept === 0 ? count : kept;
}

/** A block that is too long for any message may begin in this one. */
function fillUp(pending: readonly Pending[], count: number, fits: Fits): TakenChunk | undefined {
  const next = pending[count];
  if (next === undefined || fits(settle(next).source)) return undefined;
  const before = `${compose(pending.slice(0, count))}\n\n`;
  const cut = cutWell(next.block, (source) => fits(before + source), "gently");
  if (cut === undefined || isCutShort(cut.head)) return undefined;
  const chunk = before + cut.head;
  const isTheSame = saysTheSame(chunk, [
    ...pending.slice(0, count).map((piece) => piece.block),
    ...parseMarkdown(cut.head),
  ]);
  return isTheSame ? { chunk, rest: pendingAfter(cut.rest, pending.slice(count + 1)) } : undefined;
}

/** Few words at the end of a message are worse than a shorter message. */
function isCutShort(head: string): boolean {
  const WORTH_IT = 40;
  return head.length < WORTH_IT;
}

function cutFirst(block: Block, fits: Fits): SourceCut {
  return (
    cutWell(block, fits) ?? cutWell(withoutMarks(block), fits) ?? cutWell(asPlainBlock(block), fits) ?? cutAnyhow(block)
  );
}

interface SourceCut {
  readonly head: string;
  readonly rest: readonly Block[];
}

function cutWell(block: Block, fits: Fits, manner: CutManner = "anyhow"): SourceCut | undefined {
  const cut = cutBlock(block, (head) => fits(writeMarkdown([head])), manner);
  if (cut === undefined) return undefined;
  const head = writeMarkdown([cut.head]);
  return saysTheSame(head, [cut.head]) ? { head, rest: cut.rest } : undefined;
}

/** The limit is smaller than one letter: better one letter too much than none. */
function cutAnyhow(block: Block): SourceCut {
  const plain = asPlainBlock(block);
  const cut = cutBlock(plain, (head) => [...textContent([head])].length <= 1, "anyhow");
  return cut === undefined ? { head: "", rest: [] } : { head: writeMarkdown([cut.head]), rest: cut.rest };
}

/** Marks that touch what they should not could change words: then the words win. */
function saysTheSame(source: string, blocks: readonly Block[]): boolean {
  return textContent(parseMarkdown(source)) === textContent(blocks);
}

/** Of what is left only the first can be part of something long that will be cut again. */
function pendingAfter(left: readonly Block[], others: readonly Pending[]): Pending[] {
  const gapBefore = "\n\n";
  const [first, ...further] = left.map((block): Pending => ({ block, gapBefore }));
  const [next, ...last] = others;
  return [
    ...(first === undefined ? [] : [first]),
    ...further.map(settle),
    // What ended a list need not end the paragraph that is left of it.
    ...(next === undefined ? [] : [{ ...next, gapBefore }]),
    ...last,
  ];
}

function settle(piece: Pending): SourcedBlock {
  if (piece.source !== undefined) return { ...piece, source: piece.source };
  const source = writeMarkdown([piece.block]);
  if (saysTheSame(source, [piece.block])) return { ...piece, source };
  const unmarked = writeMarkdown([withoutMarks(piece.block)]);
  return {
    ...piece,
    source: saysTheSame(unmarked, [piece.block]) ? unmarked : writeMarkdown([asPlainBlock(piece.block)]),
  };
}
