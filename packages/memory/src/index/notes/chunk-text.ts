// Cuts a note into chunks: at headings, then between paragraphs, then between sentences. Takes the note a piece at a time.
import { hash } from "node:crypto";
import { quartersOf } from "./estimate-tokens.ts";
import { splitSentences } from "./split-sentences.ts";

export interface ChunkLimits {
  readonly tokens: number;
  readonly overlap: number;
}

export interface TextChunk {
  /** The first is 1. */
  readonly startLine: number;
  /** This line belongs to it, too. */
  readonly endLine: number;
  /** As it stands in these lines. */
  readonly text: string;
  /** The headings it stands under, as far as they are not part of the text: a short section keeps its context. */
  readonly headings: string;
}

/** A line, or a sentence of a long one: what a chunk is put together from. */
interface Piece {
  readonly line: number;
  readonly text: string;
  readonly quarters: number;
  readonly startsLine: boolean;
  readonly startsParagraph: boolean;
  readonly isBlank: boolean;
}

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const FRONT_MATTER_EDGE = "---";
/** A rule at the top of a note is no front matter: what follows it does not look like this. */
const FRONT_MATTER_LINE = /^(?:\s|$|#|-|[\w"'.-]+\s*:)/;
/** A line is not held longer than this before its beginning is cut into chunks. */
const LONGEST_HELD = 32_768;
/** Between the headings a chunk stands under. */
export const HEADINGS_BETWEEN = " > ";
const MOST_HEADING_CHARS = 200;

export class TextChunker {
  readonly #most: number;
  readonly #overlap: number;
  readonly #done: TextChunk[] = [];
  #held = "";
  #line = 1;
  #isInsideLine = false;
  #isAfterBlank = true;
  #fence: string | undefined;
  #isFrontMatter = false;
  /** Of the section that is being read, by level. */
  #headings: string[] = [];
  #pieces: Piece[] = [];
  #quarters = 0;
  /** Pieces at the front that the chunk before has, too. */
  #repeated = 0;
  #hasText = false;

  constructor({ tokens, overlap }: ChunkLimits) {
    this.#most = Math.max(4, tokens * 4);
    this.#overlap = Math.min(overlap * 4, Math.floor(this.#most / 2));
  }

  /** The chunks that are complete now. */
  write(text: string): TextChunk[] {
    const lines = (this.#held + text).split("\n");
    this.#held = lines.pop() ?? "";
    for (const line of lines) this.#endLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (this.#held.length > LONGEST_HELD) this.#cutHeld();
    return this.#done.splice(0);
  }

  /** The remaining chunks; nothing can be written afterwards. */
  end(): TextChunk[] {
    if (this.#held !== "") this.#endLine(this.#held);
    this.#held = "";
    this.#endSection();
    return this.#done.splice(0);
  }

  #endLine(line: string): void {
    if (this.#isInsideLine) this.#addLine(line, false);
    else this.#readLine(line);
    this.#isInsideLine = false;
    this.#line++;
  }

  /** A line without end, as programs write them, does not have to fit into memory. */
  #cutHeld(): void {
    const space = this.#held.lastIndexOf(" ");
    const end = space > LONGEST_HELD / 2 ? space + 1 : wholeCharacter(this.#held, this.#held.length - 1);
    const part = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    if (this.#isInsideLine) this.#addLine(part, false);
    else this.#readLine(part);
    this.#isInsideLine = true;
  }

  #readLine(line: string): void {
    const isEdge = line.trimEnd() === FRONT_MATTER_EDGE;
    if (this.#isFrontMatter && (isEdge || FRONT_MATTER_LINE.test(line))) {
      this.#addLine(line, false);
      this.#isFrontMatter = !isEdge;
      if (isEdge) this.#endSection();
      return;
    }
    this.#isFrontMatter = this.#line === 1 && isEdge;
    if (this.#fence !== undefined) {
      if (isFenceEnd(line, this.#fence)) this.#fence = undefined;
    } else {
      this.#fence = FENCE.exec(line)?.[1];
      const heading = this.#fence === undefined ? readHeading(line) : undefined;
      if (heading) {
        this.#startSection(heading.level, heading.title, line);
        return;
      }
    }
    const isBlank = line.trim() === "";
    const isInsideFence = this.#fence !== undefined && !FENCE.test(line);
    this.#addLine(line, this.#isAfterBlank && !isBlank && !isInsideFence);
    this.#isAfterBlank = isBlank;
    if (!isBlank) this.#hasText = true;
  }

  /** A heading with nothing under it but another heading goes along with that one. */
  #startSection(level: number, title: string, line: string): void {
    if (this.#hasText) this.#endSection();
    this.#headings = this.#headings.slice(0, level - 1);
    this.#headings[level - 1] = title;
    this.#addLine(line, this.#pieces.length === 0);
    this.#isAfterBlank = true;
  }

  #addLine(line: string, startsParagraph: boolean): void {
    const isBlank = line.trim() === "";
    const quarters = quartersOf(line) + 1;
    if (quarters <= this.#most / 4) {
      this.#addPiece({
        line: this.#line,
        text: line,
        quarters,
        startsLine: !this.#isInsideLine,
        startsParagraph,
        isBlank,
      });
      return;
    }
    const sentences = splitSentences(line, this.#most - 1);
    for (const [at, text] of sentences.entries()) {
      this.#addPiece({
        line: this.#line,
        text,
        quarters: quartersOf(text) + (at === 0 ? 1 : 0),
        startsLine: at === 0 && !this.#isInsideLine,
        startsParagraph: at === 0 && startsParagraph,
        isBlank: text.trim() === "",
      });
    }
  }

  #addPiece(piece: Piece): void {
    if (piece.isBlank && this.#pieces.length === 0) return;
    while (this.#quarters + piece.quarters > this.#most && this.#pieces.length > 0) this.#makeRoom(piece);
    if (piece.isBlank && this.#pieces.length === 0) return;
    this.#pieces.push(piece);
    this.#quarters += piece.quarters;
  }

  /** Ends a chunk before the last paragraph that began in it, or here if there is none. */
  #makeRoom(next: Piece): void {
    let cut = this.#pieces.length;
    if (!next.startsParagraph) {
      const paragraph = this.#pieces.findLastIndex(({ startsParagraph }) => startsParagraph);
      if (paragraph > this.#repeated) cut = paragraph;
    }
    const before = this.#pieces.slice(0, cut);
    this.#emit(before);
    const rest = this.#pieces.slice(cut);
    const restQuarters = sum(rest) + next.quarters;
    const tail = this.#tailOf(before, this.#most - restQuarters);
    this.#pieces = [...tail, ...rest];
    this.#repeated = tail.length;
    this.#quarters = sum(this.#pieces);
  }

  /** Whole pieces from the end, as many as may be said twice. */
  #tailOf(pieces: readonly Piece[], room: number): Piece[] {
    let left = Math.min(this.#overlap, room);
    let from = pieces.length;
    while (from > 1) {
      const piece = pieces[from - 1];
      if (!piece || piece.quarters > left) break;
      left -= piece.quarters;
      from--;
    }
    while (pieces[from]?.isBlank) from++;
    return pieces.slice(from);
  }

  #endSection(): void {
    if (this.#pieces.length > this.#repeated) this.#emit(this.#pieces);
    this.#pieces = [];
    this.#quarters = 0;
    this.#repeated = 0;
    this.#hasText = false;
    this.#isAfterBlank = true;
  }

  #emit(pieces: readonly Piece[]): void {
    const first = pieces.findIndex(({ isBlank }) => !isBlank);
    const last = pieces.findLastIndex(({ isBlank }) => !isBlank);
    const [start, end] = [pieces[first], pieces[last]];
    if (!start || !end || last < this.#repeated) return;
    const text = pieces
      .slice(first, last + 1)
      .map((piece, at) => (at > 0 && piece.startsLine ? `\n${piece.text}` : piece.text))
      .join("");
    this.#done.push({ startLine: start.line, endLine: end.line, text, headings: this.#headingsOutside(text) });
  }

  #headingsOutside(text: string): string {
    const inside = new Set(text.split("\n").flatMap((line) => readHeading(line)?.title ?? []));
    // A level that was left out is a hole, which filter passes over.
    const outside = this.#headings.filter((title) => title !== "" && !inside.has(title));
    return outside.join(HEADINGS_BETWEEN).slice(0, MOST_HEADING_CHARS);
  }
}

export function chunkText(text: string, limits: ChunkLimits): TextChunk[] {
  const chunker = new TextChunker(limits);
  return [...chunker.write(text), ...chunker.end()];
}

/** Names a text with its headings, so that the same words are embedded once. */
export function hashOfChunk({ headings, text }: { readonly headings: string; readonly text: string }): string {
  return hash("sha256", headings === "" ? text : `${headings}\n${text}`).slice(0, 32);
}

/** Undefined for a line that is none. */
export function readHeading(line: string): { level: number; title: string } | undefined {
  const marks = HEADING.exec(line);
  if (!marks?.[1]) return undefined;
  const title = line.slice(marks[0].length).trim();
  const end = title.lastIndexOf(" ");
  const isClosed = end >= 0 && /^#+$/.test(title.slice(end + 1));
  return { level: marks[1].length, title: isClosed ? title.slice(0, end).trim() : title };
}

function isFenceEnd(line: string, fence: string): boolean {
  const marks = line.trim();
  return marks.startsWith(fence) && marks === fence.charAt(0).repeat(marks.length);
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { quarters }) => total + quarters, 0);
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
