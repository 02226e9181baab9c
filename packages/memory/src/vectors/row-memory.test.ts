// The compiled scan gives what plain arithmetic gives.
import { expect, it } from "vitest";
import { shapeOf, toQuery, toRow, type Query, type QuantisedRow, type Shape } from "./quantise.ts";
import { RowMemory, type ScoredSlot } from "./row-memory.ts";
import { createRandom, createVectors, multiply, toLengthOne } from "./vectors.test-support.ts";

interface Filled {
  readonly shape: Shape;
  readonly memory: RowMemory;
  readonly rows: readonly QuantisedRow[];
}

function fill(dimensions: number, vectors: readonly Float32Array[]): Filled {
  const shape = shapeOf(dimensions);
  const memory = new RowMemory(shape);
  const rows = vectors.map((vector) => toRow(vector, shape));
  for (const row of rows) memory.append(row);
  return { shape, memory, rows };
}

const plainScore = ({ bytes, scale }: QuantisedRow, { numbers }: Query): number =>
  Math.fround(Math.fround(multiply(bytes, numbers)) * Math.fround(scale));

/** In how many signs a row and a question differ. */
function plainSigns({ bytes }: QuantisedRow, { vector }: Query): number {
  return vector.reduce((sum, value, at) => sum + Number(value < 0 !== (bytes[at] ?? 0) < 0), 0);
}

/** Rows are not seen from their middle before there are so many. */
const CENTERED_FROM = 1000;
/** Without a difference between 0 and -0. */
const scoresOf = (found: readonly ScoredSlot[]): number[] => found.map(({ score }) => score + 0);
const of = (scores: readonly number[], slots: readonly number[]): number[] => slots.map((slot) => scores[slot] ?? NaN);
const bestOf = (scores: readonly number[], room: number): number[] => scores.toSorted((a, b) => b - a).slice(0, room);

it.for([
  [1, 5],
  [3, 1],
  [16, 999],
  [17, 1000],
  [127, 1001],
  [129, 2345],
  [384, 2345],
  [1536, 300],
  [3072, 100],
] as const)("vectors of %i numbers, %i of them", ([dimensions, count]) => {
  const random = createRandom(dimensions);
  const draw = createVectors(random, dimensions, 5);
  const { shape, memory, rows } = fill(dimensions, Array.from({ length: count }, draw));
  for (const room of [1, 40, count + 10]) {
    const query = toQuery(draw(), shape);
    const scores = rows.map((row) => plainScore(row, query));
    const byBytes = memory.nearestByBytes(query, room);
    expect(bestOf(of(scores, byBytes), room)).toEqual(bestOf(scores, room));
    expect(new Set(byBytes).size).toBe(Math.min(room, count));

    // Those with the most signs in common are compared by their bytes.
    const signs = rows.map((row) => plainSigns(row, query));
    const farthest = signs.toSorted((a, b) => a - b)[Math.min(room * 20, count) - 1] ?? 0;
    const pool = scores.filter((_, slot) => (signs[slot] ?? 0) <= farthest);
    const bySigns = memory.nearestBySigns(query, room);
    if (count < CENTERED_FROM) expect(bestOf(of(scores, bySigns), room)).toEqual(bestOf(pool, room));
    expect(new Set(bySigns).size).toBe(Math.min(room, count));

    const thirds = scores.flatMap((_, slot) => (slot % 3 === 0 ? [slot] : []));
    const ranked = memory.rank(query, thirds);
    expect(scoresOf(ranked)).toEqual(bestOf(of(scores, thirds), count));
    expect(scoresOf(ranked)).toEqual(ranked.map(({ slot }) => scores[slot]));
    expect(memory.rank(query, thirds, room)).toEqual(ranked.slice(0, room));
  }
});

it.for([384, 4096, 16_384])("the largest sums of %i numbers do not overflow", (dimensions) => {
  const flat = new Float32Array(dimensions).fill(1);
  const { shape, memory } = fill(dimensions, [flat, flat.map((value) => -value)]);
  const found = memory.rank(toQuery(flat, shape), [1, 0]);
  expect(found.map(({ slot }) => slot)).toEqual([0, 1]);
  expect(found[0]?.score).toBeGreaterThan(0);
  expect(found[1]?.score).toBe(-(found[0]?.score ?? 0));
});

it.for<[string, readonly number[]]>([
  ["one large number among small ones", [1000, 1e-3, -1e-3, 0]],
  ["tiny numbers", [1e-30, -2e-30, 3e-30, 0]],
  ["huge numbers", [1e30, -2e30, 3e30, 0]],
])("a row keeps its direction with %s", ([, numbers]) => {
  const vector = Float32Array.from(numbers);
  const { bytes, scale } = toRow(vector, shapeOf(4));
  const unit = toLengthOne(Float32Array.from(numbers, (value) => value / Math.max(...numbers)));
  for (const [at, value] of unit.entries()) expect((bytes[at] ?? 0) * scale).toBeCloseTo(value, 2);
});

it("the last row takes the place of one that goes, across blocks", () => {
  const draw = createVectors(createRandom(3), 20, 3);
  const { shape, memory, rows } = fill(20, Array.from({ length: 1002 }, draw));
  memory.replaceByLast(4);
  memory.replaceByLast(1000);
  memory.replaceByLast(999);
  const left = rows.slice(0, 999).map((row, slot) => (slot === 4 ? (rows.at(-1) ?? row) : row));
  const query = toQuery(draw(), shape);
  expect(memory.count).toBe(999);
  const scores = left.map((row) => plainScore(row, query));
  expect(bestOf(of(scores, memory.nearestByBytes(query, 2000)), 2000)).toEqual(bestOf(scores, 2000));
  expect(bestOf(of(scores, memory.nearestBySigns(query, 2000)), 2000)).toEqual(bestOf(scores, 2000));
});

it("signs find what is nearest also where all vectors have much in common", () => {
  const random = createRandom(5);
  const draw = createVectors(random, 64, 30);
  const common = draw();
  const drawAlike = () => toLengthOne(draw().map((value, at) => value + 4 * (common[at] ?? 0)));
  const { shape, memory, rows } = fill(64, Array.from({ length: 8000 }, drawAlike));
  let found = 0;
  for (let round = 0; round < 20; round++) {
    const query = toQuery(drawAlike(), shape);
    const scores = rows.map((row) => plainScore(row, query));
    const least = bestOf(scores, 10).at(-1) ?? 0;
    found += of(scores, memory.nearestBySigns(query, 10)).filter((score) => score >= least).length;
  }
  expect(found / 200).toBeGreaterThan(0.95);
});
