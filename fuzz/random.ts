// Chance that can be repeated: the same seed gives the same choices on every machine.

export interface Random {
  /** From 0 to just below 1. */
  next(): number;
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  isLucky(probability: number): boolean;
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError("there is nothing to choose from");
      return choices[below(choices.length)] as T;
    },
    isLucky: (probability) => next() < probability,
  };
}

/** A number that depends on every character of a text, for choices that belong to an input. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
