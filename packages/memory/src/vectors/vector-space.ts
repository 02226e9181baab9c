// The vectors of one model: kept as bytes in blocks of the database, found by a fast scan, judged by the exact vectors.
import type { DatabaseSync } from "node:sqlite";
import { BlockTable, namesOfSpaces } from "./block-table.ts";
import { IdSlots } from "./id-slots.ts";
import { cosine, shapeOf, toQuery, toRow, type Query, type Shape } from "./quantise.ts";
import { BLOCK_ROWS, RowMemory, type ScoredSlot } from "./row-memory.ts";

export interface SpaceWish {
  readonly name: string;
  readonly dimensions: number;
  /** The vector a row was made from; undefined when it is gone, and then it is not found. */
  exact(id: number): Float32Array | undefined;
  /** From this many vectors on, signs are looked through before bytes. */
  readonly signsFrom?: number;
}

export interface VectorRow {
  readonly id: number;
  readonly vector: Float32Array;
}

export interface NearVector {
  readonly id: number;
  /** The cosine. */
  readonly score: number;
}

interface Loaded {
  readonly memory: RowMemory;
  readonly ids: IdSlots;
  readonly crowding: KnownCrowding;
}

/** What was found out about crowding, by id. It holds while there are about as many vectors as then. */
interface KnownCrowding {
  readonly known: Map<number, number>;
  count: number;
}

/** Bytes of 200,000 × 384 take about 5 ms to look through; signs take a third, and miss a little. */
const SIGNS_FROM = 200_000;
/** What is judged exactly, for each result asked for and at least. */
const RESCORED_PER_RESULT = 4;
const LEAST_RESCORED = 40;
/** Rounding to bytes changes a cosine by a third of the row's scale, more or less; never by so many of it. */
const MOST_ROUNDED = 1.75;
/** So many neighbours make a crowd. */
const NEIGHBOURS = 5;
/** When the number of vectors has changed by more than this share, it is looked for anew. */
const CROWD_CHANGED = 0.1;
/** What is nearer says the same once more, which is no reason to find it less. So many of those are passed over. */
const THE_SAME = 0.75;
const MOST_REPEATS = 59;
/** When more than this share would be looked at to find enough that is accepted, everything is. */
const SHARE_OF_ALL = 1 / 50;

export class VectorSpace {
  readonly #wish: SpaceWish;
  readonly #shape: Shape;
  readonly #table: BlockTable;
  #loaded: Loaded | undefined;

  private constructor(db: DatabaseSync, wish: SpaceWish) {
    this.#wish = wish;
    this.#shape = shapeOf(wish.dimensions);
    this.#table = new BlockTable(db, wish.name, this.#shape.width);
  }

  static open(db: DatabaseSync, wish: SpaceWish): VectorSpace {
    return new VectorSpace(db, wish);
  }

  /** Of all spaces that have vectors. */
  static names(db: DatabaseSync): string[] {
    return namesOfSpaces(db);
  }

  get size(): number {
    return this.#loaded?.memory.count ?? this.#table.count();
  }

  has(id: number): boolean {
    return this.#load().ids.slotOf(id) !== undefined;
  }

  /** Adds them, or puts them in the place of those with the same id. A vector that is refused changes nothing. */
  put(rows: readonly VectorRow[]): void {
    const ready = rows.map(({ id, vector }) => ({ id, row: toRow(vector, this.#shape) }));
    this.#change(({ memory, ids, crowding }, touch) => {
      for (const { id, row } of ready) {
        crowding.known.delete(id);
        const known = ids.slotOf(id);
        if (known === undefined) ids.append(id);
        if (known !== undefined) memory.set(known, row);
        touch(known ?? memory.append(row));
      }
    });
  }

  /** Ids that are not there are passed over. */
  remove(gone: readonly number[]): void {
    this.#change(({ memory, ids }, touch) => {
      for (const id of gone) {
        const slot = ids.slotOf(id);
        if (slot === undefined) continue;
        touch(slot);
        touch(memory.count - 1);
        memory.replaceByLast(slot);
        ids.replaceByLast(slot);
      }
    });
  }

  /** The nearest first, with their exact cosines. */
  search(vector: Float32Array, limit: number, accept: (id: number) => boolean = () => true): NearVector[] {
    const query = toQuery(vector, this.#shape);
    if (limit <= 0) return [];
    const loaded = this.#load();
    const most = Math.max(LEAST_RESCORED, limit * RESCORED_PER_RESULT);
    return this.#judge(loaded, this.#candidates(loaded, query, most, accept), query, limit);
  }

  /** About the cosines to these, by their bytes, which are at hand; those that are not there are left out. */
  compare(vector: Float32Array, wanted: readonly number[]): NearVector[] {
    const query = toQuery(vector, this.#shape);
    const { memory, ids } = this.#load();
    const slots = wanted.flatMap((id) => ids.slotOf(id) ?? []);
    return memory.rank(query, slots).map(({ slot, score }) => ({ id: ids.idAt(slot), score: score * query.unit }));
  }

  /** How near the nearest others are to a vector, in the mean: between 0, when it stands alone, and 1. */
  crowding(id: number): number {
    const { memory, ids, crowding } = this.#load();
    const slot = ids.slotOf(id);
    if (slot === undefined) return 0;
    if (Math.abs(memory.count - crowding.count) > crowding.count * CROWD_CHANGED) {
      crowding.known.clear();
      crowding.count = memory.count;
    }
    const known = crowding.known.get(id) ?? crowdingOf(memory, slot);
    crowding.known.set(id, known);
    return known;
  }

  /** After a transaction was rolled back: what is in the database counts. */
  reload(): void {
    this.#loaded = undefined;
    this.#table.ensure();
  }

  /** Removes the whole space, also one that is damaged. */
  drop(): void {
    this.#table.removeFrom(0);
    this.#loaded = undefined;
  }

  /** Gives its memory back; the next search or change loads it again. */
  unload(): void {
    this.#loaded = undefined;
  }

  #load(): Loaded {
    if (this.#loaded) return this.#loaded;
    const loaded: Loaded = {
      memory: new RowMemory(this.#shape),
      ids: new IdSlots(),
      crowding: { known: new Map(), count: 0 },
    };
    loaded.memory.expect(this.#table.count());
    for (const { ids, scales, rows } of this.#table.read()) {
      loaded.ids.appendAll(ids);
      loaded.memory.appendBlock(scales, rows);
    }
    loaded.memory.settle();
    return (this.#loaded = loaded);
  }

  /** Writes the blocks of all slots that were touched. When it fails, what is in the database counts. */
  #change(work: (loaded: Loaded, touch: (slot: number) => void) => void): void {
    const loaded = this.#load();
    const blocks = new Set<number>();
    try {
      work(loaded, (slot) => blocks.add(Math.floor(slot / BLOCK_ROWS)));
      const end = Math.ceil(loaded.memory.count / BLOCK_ROWS);
      for (const block of blocks) if (block < end) this.#write(loaded, block);
      if ([...blocks].some((block) => block >= end)) this.#table.removeFrom(end);
    } catch (error) {
      this.#loaded = undefined;
      throw error;
    }
  }

  #write({ memory, ids }: Loaded, block: number): void {
    const own = ids.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
    this.#table.write(block, { ids: Float64Array.from(own), ...memory.blockAt(block) });
  }

  #candidates({ memory, ids }: Loaded, query: Query, wanted: number, accept: (id: number) => boolean): ScoredSlot[] {
    const isAccepted = (slot: number): boolean => accept(ids.idAt(slot));
    const isFew = memory.count < (this.#wish.signsFrom ?? SIGNS_FROM);
    const nearest = (room: number): number[] =>
      isFew ? memory.nearestByBytes(query, room) : memory.nearestBySigns(query, room);
    const slots = gatherAccepted({ wanted, size: memory.count, nearest, isAccepted });
    return memory.rank(query, slots, wanted);
  }

  /** By the exact vectors; those that cannot be among the nearest any more are not looked up, which takes longest. */
  #judge({ memory, ids }: Loaded, found: readonly ScoredSlot[], { vector, unit }: Query, limit: number): NearVector[] {
    const nearest: NearVector[] = [];
    for (const { slot, score } of found) {
      const last = nearest[limit - 1];
      if (last && score * unit + MOST_ROUNDED * memory.scaleOf(slot) < last.score) continue;
      const id = ids.idAt(slot);
      const exact = this.#wish.exact(id);
      if (exact?.length !== vector.length) continue;
      nearest.push({ id, score: cosine(vector, exact) });
      nearest.sort((a, b) => b.score - a.score || a.id - b.id).splice(limit);
    }
    return nearest;
  }
}

function crowdingOf(memory: RowMemory, slot: number): number {
  const others = memory.nearestCosines(slot, NEIGHBOURS + MOST_REPEATS);
  const neighbours = others.filter((cosine) => cosine < THE_SAME).slice(0, NEIGHBOURS);
  return neighbours.reduce((sum, cosine) => sum + Math.max(0, cosine), 0) / NEIGHBOURS;
}

interface Gathering {
  readonly wanted: number;
  readonly size: number;
  nearest(room: number): number[];
  isAccepted(slot: number): boolean;
}

/** Looks further, at the rate at which slots were accepted so far, until there are enough or all were looked at. */
function gatherAccepted({ wanted, size, nearest, isAccepted }: Gathering): readonly number[] {
  for (let room = wanted; ;) {
    const accepted = nearest(Math.min(room, size)).filter(isAccepted);
    if (accepted.length >= wanted || room >= size) return accepted;
    room = Math.ceil(room * Math.max(2, (1.5 * wanted) / Math.max(1, accepted.length)));
    if (room > size * SHARE_OF_ALL) break;
  }
  const accepted: number[] = [];
  for (let slot = 0; slot < size; slot++) if (isAccepted(slot)) accepted.push(slot);
  return accepted;
}
