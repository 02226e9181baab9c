// Rows of vectors in the memory of the scan: block after block, and free room behind them for questions.
import { GatewayError } from "@chela/sdk";
import { createKernel } from "./kernel.ts";
import type { Query, Row, Shape } from "./quantise.ts";

export interface Found {
  readonly slot: number;
  /** Only good for comparing with others of the same search. */
  readonly score: number;
}

export const BLOCK_ROWS = 1000;
const SCALE_BYTES = 4;
const PAGE_BYTES = 65_536;
/** Before the first found row: how many there may be, and how many there are. */
const BEST_HEAD_BYTES = 8;
const FOUND_BYTES = 8;

/** Where the question and what is found lie: behind the last block. */
interface Desk {
  readonly query: number;
  readonly signs: number;
  readonly best: number;
}

type Laid = Pick<Query, "numbers" | "signs">;
type Look = (first: number, count: number, desk: Desk) => void;

const NO_SIGNS = new Uint8Array();

export class RowMemory {
  readonly #kernel = createKernel();
  /** What is before belongs to the scan itself. */
  readonly #base = this.#kernel.memory.buffer.byteLength;
  readonly #shape: Shape;
  readonly #blockBytes: number;
  #count = 0;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#blockBytes = BLOCK_ROWS * (SCALE_BYTES + this.#signBytes + shape.width);
  }

  get count(): number {
    return this.#count;
  }

  /** Takes the room for this many rows at once, which is faster than bit by bit. */
  expect(count: number): void {
    this.#reserve(this.#endOf(count));
  }

  append(row: Row): number {
    this.#count++;
    this.#reserve(this.#end);
    this.set(this.#count - 1, row);
    return this.#count - 1;
  }

  set(slot: number, { bytes, scale }: Row): void {
    this.#view(this.#rowAt(slot), this.#shape.width).set(new Uint8Array(bytes.buffer));
    new Float32Array(this.#kernel.memory.buffer, this.#scaleAt(slot), 1)[0] = scale;
    this.#takeSigns(slot, 1);
  }

  /** The last row takes the place of this one. */
  replaceByLast(slot: number): void {
    const last = this.#count - 1;
    const { width } = this.#shape;
    this.#view(this.#rowAt(slot), width).set(this.#view(this.#rowAt(last), width));
    this.#view(this.#scaleAt(slot), SCALE_BYTES).set(this.#view(this.#scaleAt(last), SCALE_BYTES));
    this.#takeSigns(slot, 1);
    this.#count--;
  }

  /** Takes over a block as it was stored; all before it are full. */
  appendBlock(scales: Uint8Array, rows: Uint8Array): void {
    const first = this.#count;
    const count = scales.length / SCALE_BYTES;
    this.#count += count;
    this.#reserve(this.#end);
    this.#view(this.#scaleAt(first), scales.length).set(scales);
    this.#view(this.#rowAt(first), rows.length).set(rows);
    this.#takeSigns(first, count);
  }

  /** Views: valid until rows are added. */
  blockAt(block: number): { readonly scales: Uint8Array; readonly rows: Uint8Array } {
    const count = this.#rowsIn(block);
    const first = block * BLOCK_ROWS;
    return {
      scales: this.#view(this.#scaleAt(first), count * SCALE_BYTES),
      rows: this.#view(this.#rowAt(first), count * this.#shape.width),
    };
  }

  /** The best first. */
  nearestByBytes(query: Query, room: number): Found[] {
    return this.#scan(query, room, this.#lookAtBytes);
  }

  /** The cosines of a row to its nearest others, the greatest first; of many rows only some are looked at, from all over. */
  nearestCosines(slot: number, room: number, lookedAt: number): number[] {
    const bytes = new Int8Array(this.#kernel.memory.buffer, this.#rowAt(slot), this.#shape.width);
    const query = { numbers: Int16Array.from(bytes), signs: NO_SIGNS };
    const perBlock = Math.ceil(lookedAt / Math.ceil(this.#count / BLOCK_ROWS));
    const found = this.#scan(query, room + 1, this.#lookAtBytes, Math.min(BLOCK_ROWS, perBlock));
    const scale = this.scaleOf(slot);
    return found.flatMap((one) => (one.slot === slot ? [] : [one.score * scale])).slice(0, room);
  }

  /** Eight times less to read, and coarser. */
  nearestBySigns(query: Query, room: number): Found[] {
    const { words } = this.#shape;
    return this.#scan(query, room, (first, count, desk) =>
      this.#kernel.scanSigns(this.#signsAt(first), count, words, first, desk.signs, desk.best),
    );
  }

  /** `bytes` of a row times this is about its vector. */
  scaleOf(slot: number): number {
    return new DataView(this.#kernel.memory.buffer).getFloat32(this.#scaleAt(slot), true);
  }

  /** The given rows by their bytes, the best first. */
  rank(query: Query, slots: readonly number[]): Found[] {
    const desk = this.#lay(query, 0);
    const { width } = this.#shape;
    const scored = slots.map((slot) => ({
      slot,
      score: this.#kernel.score(this.#rowAt(slot), this.scaleOf(slot), desk.query, width),
    }));
    return bestFirst(scored);
  }

  readonly #lookAtBytes: Look = (first, count, desk) => {
    const { width } = this.#shape;
    this.#kernel.scanBytes(this.#rowAt(first), this.#scaleAt(first), count, width, first, desk.query, desk.best);
  };

  #scan(query: Laid, room: number, look: Look, perBlock = BLOCK_ROWS): Found[] {
    const desk = this.#lay(query, room);
    for (let first = 0; first < this.#count; first += BLOCK_ROWS) {
      look(first, Math.min(perBlock, this.#count - first), desk);
    }
    const memory = new DataView(this.#kernel.memory.buffer, desk.best);
    const found = Array.from({ length: memory.getUint32(4, true) }, (_, at) => {
      const offset = BEST_HEAD_BYTES + at * FOUND_BYTES;
      return { score: memory.getFloat32(offset, true), slot: memory.getUint32(offset + 4, true) };
    });
    return bestFirst(found);
  }

  /** Puts the question behind the last block, and makes room for what is found. */
  #lay({ numbers, signs }: Laid, room: number): Desk {
    const query = this.#end;
    const signsAt = query + numbers.byteLength;
    const best = signsAt + signs.length;
    this.#reserve(best + BEST_HEAD_BYTES + room * FOUND_BYTES);
    this.#view(query, numbers.byteLength).set(new Uint8Array(numbers.buffer));
    this.#view(signsAt, signs.length).set(signs);
    const head = new DataView(this.#kernel.memory.buffer, best);
    head.setUint32(0, room, true);
    head.setUint32(4, 0, true);
    return { query, signs: signsAt, best };
  }

  #takeSigns(first: number, count: number): void {
    const { width, words } = this.#shape;
    this.#kernel.takeSigns(this.#rowAt(first), count, width, this.#signsAt(first), words);
  }

  #reserve(end: number): void {
    const { memory } = this.#kernel;
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing <= 0) return;
    try {
      memory.grow(missing);
    } catch (cause) {
      throw new GatewayError("MEMORY_UNAVAILABLE", `there is no room for ${this.#count} vectors at once`, { cause });
    }
  }

  #view(address: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#kernel.memory.buffer, address, bytes);
  }

  /** A block is scales, then signs, then rows. */
  #blockAddress(slot: number): number {
    return this.#base + Math.floor(slot / BLOCK_ROWS) * this.#blockBytes;
  }

  #scaleAt(slot: number): number {
    return this.#blockAddress(slot) + (slot % BLOCK_ROWS) * SCALE_BYTES;
  }

  #signsAt(slot: number): number {
    return this.#blockAddress(slot) + BLOCK_ROWS * SCALE_BYTES + (slot % BLOCK_ROWS) * this.#signBytes;
  }

  #rowAt(slot: number): number {
    const rows = this.#blockAddress(slot) + BLOCK_ROWS * (SCALE_BYTES + this.#signBytes);
    return rows + (slot % BLOCK_ROWS) * this.#shape.width;
  }

  #rowsIn(block: number): number {
    return Math.min(BLOCK_ROWS, this.#count - block * BLOCK_ROWS);
  }

  get #signBytes(): number {
    return this.#shape.words * 8;
  }

  get #end(): number {
    return this.#endOf(this.#count);
  }

  #endOf(count: number): number {
    return this.#base + Math.ceil(count / BLOCK_ROWS) * this.#blockBytes;
  }
}

function bestFirst(found: Found[]): Found[] {
  return found.sort((a, b) => b.score - a.score || a.slot - b.slot);
}
