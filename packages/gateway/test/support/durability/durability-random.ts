// Randomness that can be repeated: a failed test tells its seed, and CHELA_TEST_SEED runs it again with the same numbers.
import { onTestFailed } from "vitest";

export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Call inside a test. */
export function createRandom(): Random {
  const seed = Number(process.env["CHELA_TEST_SEED"] ?? Date.now() % 1_000_000_000);
  onTestFailed(() => void process.stderr.write(`\nRun it again with CHELA_TEST_SEED=${seed}\n`));
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed,
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
  };
}
