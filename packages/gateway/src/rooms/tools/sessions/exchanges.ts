// Tracks which sessions wait for each other's replies, so that no circle waits for itself and no exchange breeds another.

export class Exchanges {
  /** Who waits for whom, one entry per call. */
  readonly #waits = new Set<{ readonly from: string; readonly to: string }>();
  readonly #following = new Set<string>();

  /** Asks and waits, or returns "circle" when `to` already waits for `from`, directly or through others. */
  async wait<T>(from: string, to: string, ask: () => Promise<T>): Promise<T | "circle"> {
    if (this.#isWaiting(to, from)) return "circle";
    const wait = { from, to };
    this.#waits.add(wait);
    try {
      return await ask();
    } finally {
      this.#waits.delete(wait);
    }
  }

  #isWaiting(from: string, to: string): boolean {
    const reached = new Set([from]);
    for (const key of reached) {
      if (key === to) return true;
      for (const wait of this.#waits) if (wait.from === key) reached.add(wait.to);
    }
    return false;
  }

  /** Two sessions have one exchange at a time; what they send meanwhile is part of it. */
  isFollowing(from: string, to: string): boolean {
    return this.#following.has(pairOf(from, to));
  }

  async following(from: string, to: string, work: () => Promise<void>): Promise<void> {
    this.#following.add(pairOf(from, to));
    try {
      await work();
    } finally {
      this.#following.delete(pairOf(from, to));
    }
  }
}

function pairOf(one: string, other: string): string {
  return [one, other].sort().join("\n");
}
