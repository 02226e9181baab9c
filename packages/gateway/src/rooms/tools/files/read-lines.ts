// Reads some lines of a file, however large it is: only what is asked for is ever in memory.
import type { FileHandle } from "node:fs/promises";

export interface LineRequest {
  /** 1-based. */
  readonly first: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

export interface LinesRead {
  readonly lines: readonly string[];
  /** The numbers of lines that were too long to be shown whole. */
  readonly cut: readonly number[];
  /** The number of the next line; undefined when the end was reached. */
  readonly next: number | undefined;
  /** How many lines the file has, as far as it was read. */
  readonly seen: number;
}

const PAGE_LINES = 2_000;
export const PAGE_BYTES = 50 * 1024;
const MAX_PAGES = 8;
export const MAX_LINE_BYTES = 20_000;
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export async function readLines(file: FileHandle, request: LineRequest, signal: AbortSignal): Promise<LinesRead> {
  const collector = new Collector(request);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; !collector.isFull;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) {
      collector.finish();
      break;
    }
    collector.take(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
  return collector.result();
}

/** Pages of at most 2000 lines and 50 KB are joined until the request is filled. */
class Collector {
  readonly #request: LineRequest;
  readonly #lines: string[] = [];
  readonly #cut: number[] = [];
  #next: number | undefined;
  /** The line that is being read, its number, its length so far and what is kept of it. */
  #number = 1;
  #length = 0;
  #parts: Buffer[] = [];
  #bytes = 0;
  #page = { count: 1, lines: 0, bytes: 0 };

  constructor(request: LineRequest) {
    this.#request = request;
  }

  get isFull(): boolean {
    return this.#next !== undefined;
  }

  take(chunk: Buffer): void {
    for (let start = 0; start < chunk.length && !this.isFull;) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.length : newline;
      this.#grow(chunk.subarray(start, end));
      if (newline >= 0) this.#endLine();
      start = end + 1;
    }
  }

  /** What stands behind the last newline is a line as well, unless it is nothing. */
  finish(): void {
    if (this.#length > 0) this.#endLine();
  }

  result(): LinesRead {
    return { lines: this.#lines, cut: this.#cut, next: this.#next, seen: this.#number - 1 };
  }

  #grow(part: Buffer): void {
    const room = MAX_LINE_BYTES - this.#length;
    this.#length += part.length;
    // Copied, because the chunk is used again.
    if (this.#number >= this.#request.first && room > 0) this.#parts.push(Buffer.from(part.subarray(0, room)));
  }

  #endLine(): void {
    if (this.#number >= this.#request.first) {
      const bytes = Math.min(this.#length, MAX_LINE_BYTES) + 1;
      if (!this.#hasRoomFor(bytes)) {
        this.#next = this.#number;
        return;
      }
      this.#keep(bytes);
    }
    this.#number++;
    this.#length = 0;
    this.#parts = [];
  }

  #hasRoomFor(bytes: number): boolean {
    if (this.#lines.length >= this.#request.maxLines || this.#bytes + bytes > this.#request.maxBytes) return false;
    if (this.#page.lines < PAGE_LINES && this.#page.bytes + bytes <= PAGE_BYTES) return true;
    this.#page = { count: this.#page.count + 1, lines: 0, bytes: 0 };
    return this.#page.count <= MAX_PAGES;
  }

  #keep(bytes: number): void {
    // A letter that was cut in the middle is left out.
    const text = new TextDecoder().decode(Buffer.concat(this.#parts), { stream: this.#length > MAX_LINE_BYTES });
    this.#lines.push(text.endsWith("\r") ? text.slice(0, -1) : text);
    if (this.#length > MAX_LINE_BYTES) this.#cut.push(this.#number);
    this.#bytes += bytes;
    this.#page.lines++;
    this.#page.bytes += bytes;
  }
}
