// Rows of vectors in the memory of the scan: block after block, and free room behind them for questions.
import { GatewayError } from "@chela/sdk";
import { createKernel } from "./kernel.ts";
import { toSigns, type Query, type QuantisedRow, type Shape } from "./quantise.ts";

export interface ScoredSlot {
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
const SLOT_BYTES = 4;
const DISTANCE_BYTES = 2;

/** Where a question and what is found lie: behind the last block. */
interface WorkArea {
  readonly query: number;
  readonly best: number;
  /** Whatever else is needed. */
  readonly more: number;
}

/** Rows that stand together. */
interface RowRun {
  readonly first: number;
  readonly count: number;
}

/** Where only some rows are looked at, they are so many, from so many blocks: from more they would be far apart in memory. */
const SAMPLE_ROWS = 4_000;
const SAMPLE_BLOCKS = 20;
/** From this many on, and whenever they have doubled, signs are seen from the middle of all rows, which as many tell. */
const CENTERED_FROM = 1_000;
/** Signs are coarse: so many for each that is asked for, and this share of all, are compared by their bytes. */
const BY_SIGNS_PER_FOUND = 20;
const BY_SIGNS_OF_ALL = 0.03;
const BY_SIGNS_PER_NEIGHBOUR = 2;

export class RowMemory {
  readonly #kernel = createKernel();
  /** What is before belongs to the scan itself. */
  readonly #centerAt = this.#kernel.memory.buffer.byteLength;
  readonly #base: number;
  readonly #shape: Shape;
  readonly #blockBytes: number;
  #count = 0;
  /** The mean of the rows, when there were so many: what all have in common tells nothing. */
  #center: Float32Array;
  #centeredAt = 0;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#center = new Float32Array(shape.width);
    this.#base = this.#centerAt + this.#center.byteLength;
    this.#blockBytes = BLOCK_ROWS * (SCALE_BYTES + this.#signBytes + shape.width);
    this.#reserve(this.#base);
  }

  get count(): number {
    return this.#count;
  }

  /** Takes the room for this many rows at once, which is faster than bit by bit. */
  expect(count: number): void {
    this.#reserve(this.#endOf(count));
  }

  append(row: QuantisedRow): number {
    this.#count++;
    this.#reserve(this.#end);
    this.set(this.#count - 1, row);
    if (this.#count >= CENTERED_FROM && this.#count >= this.#centeredAt * 2) this.settle();
    return this.#count - 1;
  }

  set(slot: number, { bytes, scale }: QuantisedRow): void {
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

  /** Takes over a block as it was stored; all before it are full. After the last one, `settle`. */
  appendBlock(scales: Uint8Array, rows: Uint8Array): void {
    const first = this.#count;
    const count = scales.length / SCALE_BYTES;
    this.#count += count;
    this.#reserve(this.#end);
    this.#view(this.#scaleAt(first), scales.length).set(scales);
    this.#view(this.#rowAt(first), rows.length).set(rows);
  }

  /** Signs are taken anew, from the middle of all rows. */
  settle(): void {
    this.#center = this.#meanOf(this.#parts(CENTERED_FROM));
    this.#centeredAt = this.#count;
    this.#view(this.#centerAt, this.#center.byteLength).set(new Uint8Array(this.#center.buffer));
    for (const { first, count } of this.#parts()) this.#takeSigns(first, count);
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
  nearestByBytes({ numbers }: Query, room: number): number[] {
    const area = this.#lay(numbers, room, 0);
    const { width } = this.#shape;
    for (const { first, count } of this.#parts()) {
      this.#kernel.scanBytes(this.#rowAt(first), this.#scaleAt(first), count, width, first, area.query, area.best);
    }
    return this.#found(area).map(({ slot }) => slot);
  }

  /** The same with a sixth to read: only those with the most signs in common are compared by their bytes. A few are missed. */
  nearestBySigns({ numbers, vector }: Query, room: number): number[] {
    const signs = toSigns(vector, this.#center, this.#shape);
    const pool = Math.max(room * BY_SIGNS_PER_FOUND, this.#count * BY_SIGNS_OF_ALL);
    return this.#findBySigns(numbers, signs, { room, pool, parts: this.#parts() }).map(({ slot }) => slot);
  }

  /** The cosines of a row to its nearest others, the greatest first. Of many rows only some are looked at, from all over. */
  nearestCosines(slot: number, room: number): number[] {
    const numbers = Int16Array.from(new Int8Array(this.#kernel.memory.buffer, this.#rowAt(slot), this.#shape.width));
    const signs = this.#view(this.#signsAt(slot), this.#signBytes).slice();
    const wish = { room: room + 1, pool: 1 + room * BY_SIGNS_PER_NEIGHBOUR, parts: this.#parts(SAMPLE_ROWS) };
    const scale = this.scaleOf(slot);
    const cosines = this.#findBySigns(numbers, signs, wish).flatMap((one) =>
      one.slot === slot ? [] : [one.score * scale],
    );
    return cosines.sort((a, b) => b - a).slice(0, room);
  }

  /** `bytes` of a row times this is about its vector. */
  scaleOf(slot: number): number {
    return new DataView(this.#kernel.memory.buffer).getFloat32(this.#scaleAt(slot), true);
  }

  /** The given rows by their bytes, the best of them first. */
  rank({ numbers }: Query, slots: readonly number[], most = slots.length): ScoredSlot[] {
    const area = this.#lay(numbers, most, slots.length * SLOT_BYTES);
    new Uint32Array(this.#kernel.memory.buffer, area.more, slots.length).set(slots);
    this.#rankRows(area, area.more, slots.length);
    return this.#found(area).sort((a, b) => b.score - a.score || a.slot - b.slot);
  }

  /** The best by their bytes among those that differ in the fewest signs. In no order. */
  #findBySigns(
    numbers: Int16Array,
    signs: Uint8Array,
    { room, pool, parts }: { readonly room: number; readonly pool: number; readonly parts: readonly RowRun[] },
  ): ScoredSlot[] {
    const { words } = this.#shape;
    const total = parts.reduce((sum, { count }) => sum + count, 0);
    const bins = words * 64 + 1;
    const area = this.#lay(numbers, room, signs.length + bins * SLOT_BYTES + total * (SLOT_BYTES + DISTANCE_BYTES));
    const histogram = area.more + signs.length;
    const slots = histogram + bins * SLOT_BYTES;
    const distances = slots + total * SLOT_BYTES;
    this.#view(area.more, signs.length).set(signs);
    this.#view(histogram, bins * SLOT_BYTES).fill(0);
    let at = distances;
    for (const { first, count } of parts) {
      this.#kernel.countSigns(this.#signsAt(first), count, words, area.more, at, histogram);
      at += count * DISTANCE_BYTES;
    }
    const farthest = farthestOf(new Uint32Array(this.#kernel.memory.buffer, histogram, bins), pool);
    let chosen = 0;
    at = distances;
    for (const { first, count } of parts) {
      chosen += this.#kernel.chooseRows(at, count, first, farthest, slots + chosen * SLOT_BYTES);
      at += count * DISTANCE_BYTES;
    }
    this.#rankRows(area, slots, chosen);
    return this.#found(area);
  }

  #rankRows({ query, best }: WorkArea, slots: number, count: number): void {
    const rowsAt = this.#rowAt(0) - this.#base;
    const { width } = this.#shape;
    this.#kernel.rankRows(slots, count, this.#base, BLOCK_ROWS, this.#blockBytes, rowsAt, width, query, best);
  }

  /** All rows, or about as many as are wanted: the first ones of some blocks. */
  #parts(wanted?: number): RowRun[] {
    const blocks = Math.ceil(this.#count / BLOCK_ROWS);
    const parts = wanted === undefined ? blocks : Math.min(blocks, SAMPLE_BLOCKS);
    const most = wanted === undefined ? BLOCK_ROWS : Math.min(BLOCK_ROWS, Math.ceil(wanted / parts));
    return Array.from({ length: parts }, (_, part) => {
      const first = Math.floor((part * blocks) / parts) * BLOCK_ROWS;
      return { first, count: Math.min(most, this.#count - first) };
    });
  }

  #meanOf(parts: readonly RowRun[]): Float32Array {
    const { width } = this.#shape;
    const mean = new Float32Array(width);
    const total = parts.reduce((sum, { count }) => sum + count, 0);
    for (const { first, count } of parts) {
      for (let slot = first; slot < first + count; slot++) {
        const bytes = new Int8Array(this.#kernel.memory.buffer, this.#rowAt(slot), width);
        const share = this.scaleOf(slot) / total;
        for (let at = 0; at < width; at++) mean[at] = (mean[at] ?? 0) + (bytes[at] ?? 0) * share;
      }
    }
    return mean;
  }

  /** In no order. */
  #found({ best }: WorkArea): ScoredSlot[] {
    const memory = new DataView(this.#kernel.memory.buffer, best);
    return Array.from({ length: memory.getUint32(4, true) }, (_, at) => {
      const offset = BEST_HEAD_BYTES + at * FOUND_BYTES;
      return { score: memory.getFloat32(offset, true), slot: memory.getUint32(offset + 4, true) };
    });
  }

  /** Puts the question behind the last block, and makes room for what is found, and for more. */
  #lay(numbers: Int16Array, room: number, moreBytes: number): WorkArea {
    const query = this.#end;
    const best = query + numbers.byteLength;
    const more = best + Math.ceil((BEST_HEAD_BYTES + room * FOUND_BYTES) / 16) * 16;
    this.#reserve(more + moreBytes);
    this.#view(query, numbers.byteLength).set(new Uint8Array(numbers.buffer));
    const head = new DataView(this.#kernel.memory.buffer, best);
    head.setUint32(0, room, true);
    head.setUint32(4, 0, true);
    return { query, best, more };
  }

  #takeSigns(first: number, count: number): void {
    const { width, words } = this.#shape;
    const [rows, scales, signs] = [this.#rowAt(first), this.#scaleAt(first), this.#signsAt(first)];
    this.#kernel.takeSigns(rows, scales, count, width, this.#centerAt, signs, words);
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

/** In how many signs rows differ at most, so that there are as many as wanted, or a few more. */
function farthestOf(histogram: Uint32Array, wanted: number): number {
  let rows = 0;
  const farthest = histogram.findIndex((count) => (rows += count) >= wanted);
  return farthest < 0 ? histogram.length : farthest;
}
