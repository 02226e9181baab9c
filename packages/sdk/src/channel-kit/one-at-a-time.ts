// Runs works on the same key one after another, in the order they were asked for; different keys do not wait.

export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** A failed work does not hold up the next. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = mine.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
