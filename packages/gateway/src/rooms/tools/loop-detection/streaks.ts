// Counts how long a model has been going in circles, over the calls it made so far.

export interface PastCall {
  /** Tool and arguments. */
  readonly key: string;
  /** What came back. */
  readonly outcome: string;
}

/** How often this very call was made. */
export function countRepeats(history: readonly PastCall[], key: string): number {
  return history.filter((past) => past.key === key).length;
}

/** How often this very call was last answered with the same result, other calls in between or not. */
export function countNoProgress(history: readonly PastCall[], key: string): number {
  const own = history.filter((past) => past.key === key);
  const last = own.at(-1);
  const changed = own.findLastIndex(({ outcome }) => outcome !== last?.outcome);
  return own.length - 1 - changed;
}

export interface PingPong {
  /** Calls at the end of the history that go to and fro between the same two. */
  readonly length: number;
  /** Whether each of the two was answered the same way every time. */
  readonly stuck: boolean;
  /** The keys of the two. */
  readonly pair: readonly string[];
}

export function findPingPong(history: readonly PastCall[]): PingPong {
  const last = history.at(-1);
  const other = history.at(-2);
  if (!last || !other || last.key === other.key) return { length: 0, stuck: false, pair: [] };
  let length = 0;
  let stuck = true;
  for (const past of history.toReversed()) {
    const expected = length % 2 === 0 ? last : other;
    if (past.key !== expected.key) break;
    stuck &&= past.outcome === expected.outcome;
    length++;
  }
  return { length, stuck, pair: [last.key, other.key] };
}
