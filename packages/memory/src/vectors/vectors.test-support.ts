// Vectors like those of a model, and the plain way to find the nearest of them.

export type Random = () => number;

export interface Numbered {
  readonly id: number;
  readonly vector: Float32Array;
}

/** Models tell texts apart by far fewer traits than their vectors have numbers; the first traits matter most. */
const TRAITS = 32;
const NOISE = 0.02;

/** The same numbers for the same seed, between 0 and 1. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Texts about the same thing are a group: near to each other, each with something of its own. */
export function createVectors(random: Random, dimensions: number, groups: number): () => Float32Array {
  const spread = (): number => random() + random() + random() - 1.5;
  const traits = Array.from({ length: TRAITS }, () => Float32Array.from({ length: dimensions }, spread));
  const drawTraits = (): number[] => traits.map((_, trait) => spread() / Math.sqrt(trait + 1));
  const centres = Array.from({ length: groups }, drawTraits);
  return () => {
    const vector = Float32Array.from({ length: dimensions }, () => NOISE * spread());
    const centre = centres[Math.floor(random() * groups)] ?? [];
    const own = drawTraits();
    for (const [at, trait] of traits.entries()) {
      const amount = (centre[at] ?? 0) + (own[at] ?? 0) / 2;
      for (let number = 0; number < dimensions; number++) {
        vector[number] = (vector[number] ?? 0) + amount * (trait[number] ?? 0);
      }
    }
    return toLengthOne(vector);
  };
}

export function toLengthOne(vector: Float32Array): Float32Array {
  const length = Math.sqrt(multiply(vector, vector));
  return vector.map((value) => value / length);
}

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Ids of the nearest, by looking at each. */
export function findPlainly(rows: readonly Numbered[], query: Float32Array, limit: number): number[] {
  return rows
    .map(({ id, vector }) => ({ id, score: multiply(vector, query) }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map(({ id }) => id);
}
