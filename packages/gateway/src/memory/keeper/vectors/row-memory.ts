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

/** Where only some rows are looked at, they are from so many blocks: more of them would be further apart in memory. */
const MOST_BLOCKS_OF_SOME = 20;
/** Signs are coarse: so many are compared by their bytes for each that is asked for. */
const BY_SIGNS_PER_NEIGHBOUR = 2;

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

  /** Slots, in no order. */
  nearestByBytes(query: Query, room: number): number[] {
    return this.#slots(this.#look(query, room, this.#lookAtBytes));
  }

  /** The same with eight times less to read, and coarser. */
  nearestBySigns(query: Query, room: number): number[] {
    return this.#slots(this.#look(query, room, this.#lookAtSigns));
  }

  /**
   * The cosines of a row to its nearest others, the greatest first. Of many rows only some are looked at, from all over, and
   * those by their signs: a few times as many as are asked for are then compared by their bytes.
   */
  nearestCosines(slot: number, room: number, lookedAt: number): number[] {
    const bytes = new Int8Array(this.#kernel.memory.buffer, this.#rowAt(slot), this.#shape.width);
    const signs = this.#view(this.#signsAt(slot), this.#signBytes).slice();
    const most = 1 + room * BY_SIGNS_PER_NEIGHBOUR;
    const query = { numbers: Int16Array.from(bytes), signs };
    const desk = this.#look(query, most, this.#lookAtSigns, lookedAt);
    const others = this.#slots(desk).filter((other) => other !== slot);
    const scale = this.scaleOf(slot);
    const greatest = this.#scores(others, desk).sort().reverse().subarray(0, room);
    return Array.from(greatest, (score) => score * scale);
  }

  /** `bytes` of a row times this is about its vector. */
  scaleOf(slot: number): number {
    return new DataView(this.#kernel.memory.buffer).getFloat32(this.#scaleAt(slot), true);
  }

  /** The given rows by their bytes, the best of them first. */
  rank(query: Query, slots: readonly number[], most = slots.length): Found[] {
    const scores = this.#scores(slots, this.#lay(query, 0));
    // Only those that will be among them are put in order, which takes longest.
    const least = scores.toSorted()[slots.length - most] ?? -Infinity;
    const found: Found[] = [];
    for (const [at, slot] of slots.entries()) {
      const score = scores[at] ?? 0;
      if (score >= least) found.push({ slot, score });
    }
    return found.sort((a, b) => b.score - a.score || a.slot - b.slot).slice(0, most);
  }

  readonly #lookAtBytes: Look = (first, count, desk) => {
    const { width } = this.#shape;
    this.#kernel.scanBytes(this.#rowAt(first), this.#scaleAt(first), count, width, first, desk.query, desk.best);
  };

  readonly #lookAtSigns: Look = (first, count, desk) => {
    this.#kernel.scanSigns(this.#signsAt(first), count, this.#shape.words, first, desk.signs, desk.best);
  };

  /** At all rows, or at about as many as are wanted, some of them in each of a few blocks. */
  #look(query: Laid, room: number, look: Look, wanted?: number): Desk {
    const desk = this.#lay(query, room);
    const blocks = Math.ceil(this.#count / BLOCK_ROWS);
    const looks = wanted === undefined ? blocks : Math.min(blocks, MOST_BLOCKS_OF_SOME);
    const rows = wanted === undefined ? BLOCK_ROWS : Math.min(BLOCK_ROWS, Math.ceil(wanted / looks));
    for (let at = 0; at < looks; at++) {
      const first = Math.floor((at * blocks) / looks) * BLOCK_ROWS;
      look(first, Math.min(rows, this.#count - first), desk);
    }
    return desk;
  }

  /** Of what was found. */
  #slots({ best }: Desk): number[] {
    const memory = new DataView(this.#kernel.memory.buffer, best);
    const slots: number[] = [];
    for (let left = memory.getUint32(4, true); left > 0; left--) {
      slots.push(memory.getUint32(BEST_HEAD_BYTES + left * FOUND_BYTES - 4, true));
    }
    return slots;
  }

  #scores(slots: readonly number[], { query }: Desk): Float32Array {
    const memory = new DataView(this.#kernel.memory.buffer);
    const scores = new Float32Array(slots.length);
    for (const [at, slot] of slots.entries()) {
      const scale = memory.getFloat32(this.#scaleAt(slot), true);
      scores[at] = this.#kernel.score(this.#rowAt(slot), scale, query, this.#shape.width);
    }
    return scores;
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
