// Chance for property tests: the same seed gives the same choices.

export interface Chance {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  maybe<T>(value: T): T | undefined;
  shuffle<T>(list: readonly T[]): T[];
}

export function createChance(seed: number): Chance {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    maybe: (value) => (below(2) === 0 ? value : undefined),
    shuffle: (list) => {
      const weighed = list.map((value) => ({ value, weight: below(2 ** 30) }));
      return weighed.sort((one, other) => one.weight - other.weight).map(({ value }) => value);
    },
  };
}
