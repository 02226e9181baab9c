// Gives what a model is still writing in whole blocks, so that a reader gets the first ones before the last is written.
import { wholeCharacterBefore, wholeGraphemeBefore } from "./cut-inline.ts";
import { fenceAfter, scanLines, type Fence } from "./lines.ts";

export interface BlockStreamOptions {
  /** Nothing shorter is given before the end. */
  readonly minChars?: number;
  /** Nothing longer is given before the end. */
  readonly maxChars?: number;
  /** Where to cut as soon as there is enough; when there is too much, wherever it hurts least. */
  readonly prefer?: "paragraph" | "newline" | "sentence";
}

const PARAGRAPH = 0;
const NEWLINE = 1;
const SENTENCE = 2;
const BLANK = 3;
const RANKS = { paragraph: PARAGRAPH, newline: NEWLINE, sentence: SENTENCE } as const;

export class BlockStream {
  readonly #minChars: number;
  readonly #maxChars: number;
  readonly #rank: number;
  #buffer = "";

  constructor({ minChars = 800, maxChars = 1200, prefer = "paragraph" }: BlockStreamOptions = {}) {
    this.#maxChars = Math.max(1, maxChars);
    this.#minChars = Math.min(Math.max(1, minChars), this.#maxChars);
    this.#rank = RANKS[prefer];
  }

  /** The blocks that became complete with it. */
  add(delta: string): string[] {
    this.#buffer += delta;
    const given: string[] = [];
    for (let cut = this.#findCut(); cut !== undefined; cut = this.#findCut()) {
      if (cut.piece.trim() !== "") given.push(trimBlock(cut.piece));
      this.#buffer = cut.rest;
    }
    return given;
  }

  /** What is left. The stream is empty afterwards and can be used again. */
  finish(): string[] {
    const given = this.add("");
    const last = trimBlock(this.#buffer);
    this.#buffer = "";
    return last === "" ? given : [...given, last];
  }

  #findCut(): Cut | undefined {
    // What is too long is cut once more has come; until then it may be just enough.
    const isFull = this.#buffer.length > this.#maxChars;
    if (this.#buffer.length < this.#minChars) return undefined;
    const { places, fence } = examine(this.#buffer.slice(0, this.#maxChars));
    const allowed = isFull ? places : places.filter((place) => place.rank <= this.#rank);
    const late = allowed.filter((place) => place.at >= this.#minChars);
    const best = bestOf(late) ?? (isFull ? bestOf(allowed) : undefined);
    if (best !== undefined) return divide(this.#buffer, best.at);
    if (!isFull) return undefined;
    return fence === undefined ? cutText(this.#buffer, this.#maxChars) : cutFence(this.#buffer, this.#maxChars, fence);
  }
}

interface Cut {
  readonly piece: string;
  readonly rest: string;
}

interface CutPoint {
  readonly at: number;
  readonly rank: number;
}

/** A fence that is open at the end of the text, and where its first line of code begins. */
interface OpenFence extends Fence {
  readonly bodyStart: number;
}

/** Blank lines at the start and blanks at the end say nothing; an indentation may. */
function trimBlock(piece: string): string {
  return piece.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

function divide(text: string, at: number): Cut {
  const rest = text.slice(at);
  return {
    piece: text.slice(0, at),
    rest: rest.startsWith("\n") ? rest.replace(/^(?:[ \t]*\n)+/, "") : rest.trimStart(),
  };
}

function bestOf(places: readonly CutPoint[]): CutPoint | undefined {
  return places.reduce<CutPoint | undefined>(
    (best, place) => (best === undefined || place.rank <= best.rank ? place : best),
    undefined,
  );
}

/** All places outside fences where the text may be cut, in order. */
function examine(text: string): { places: CutPoint[]; fence: OpenFence | undefined } {
  const places: CutPoint[] = [];
  let fence: OpenFence | undefined;
  let wasBlank = true;
  for (const line of scanLines(text)) {
    const isComplete = line.start + line.text.length < text.length;
    const isBlank = isComplete && line.text.trim() === "";
    const isOutside = fence === undefined;
    if (isOutside && line.start > 0) {
      places.push({ at: line.start - 1, rank: wasBlank || isBlank ? PARAGRAPH : NEWLINE });
    }
    const after = fenceAfter(line.text, fence);
    if (isOutside && after === undefined) places.push(...placesInLine(line.text, line.start));
    if (after === undefined) fence = undefined;
    else if (isOutside) fence = { ...after, bodyStart: line.start + line.text.length + 1 };
    wasBlank = isBlank;
  }
  return { places: places.filter((place) => text.slice(0, place.at).trim() !== ""), fence };
}

/** Not before signs that mean something else at the start of a line. */
function placesInLine(line: string, start: number): CutPoint[] {
  return [...line.matchAll(/(\S)[ \t]+(?=[^\s`~#>+*=|-])(?!\d+[.)])/g)].map((match) => ({
    at: start + match.index + 1,
    rank: /[.!?…。！？]/.test(match[1] ?? "") ? SENTENCE : BLANK,
  }));
}

function cutText(buffer: string, maxChars: number): Cut {
  const at = wholeGraphemeBefore(buffer, maxChars) || wholeCharacterBefore(buffer, maxChars) || 2;
  return { piece: buffer.slice(0, at), rest: buffer.slice(at) };
}

/** Closed here and opened again in the next block. */
function cutFence(buffer: string, maxChars: number, fence: OpenFence): Cut {
  const closing = `\n${fence.prefix}${fence.mark}`;
  const room = maxChars - closing.length;
  if (fence.bodyStart >= room) return cutText(buffer, maxChars);
  const newline = buffer.lastIndexOf("\n", room);
  const isWholeLine = newline > fence.bodyStart;
  const at = isWholeLine ? newline : cutText(buffer, room).piece.length;
  const rest = buffer.slice(isWholeLine ? at + 1 : at);
  const [nextLine = ""] = rest.split("\n", 1);
  const piece = buffer.slice(0, at) + closing;
  const endsHere = isWholeLine && fenceAfter(nextLine, fence) === undefined;
  if (endsHere) return { piece, rest: rest.slice(nextLine.length + 1) };
  return { piece, rest: `${fence.prefix}${fence.mark}${fence.language}\n${rest}` };
}
