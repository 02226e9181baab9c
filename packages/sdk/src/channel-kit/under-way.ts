// Counts what is being taken in: for whoever has to wait until all of it is done, or until there is room for more.

export class UnderWay {
  readonly #works = new Set<Promise<unknown>>();

  get size(): number {
    return this.#works.size;
  }

  add<T>(work: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = work.then(
      () => this.#works.delete(settled),
      () => this.#works.delete(settled),
    );
    this.#works.add(settled);
    return work;
  }

  /** Resolves when nothing of what was added up to now is under way. Never rejects. */
  async idle(): Promise<void> {
    await Promise.all(this.#works);
  }

  /** Resolves when fewer than `most` are under way, or when nobody waits any more. */
  async room(most: number, over: AbortSignal): Promise<void> {
    if (this.#works.size < most || over.aborted) return;
    const given = Promise.withResolvers<void>();
    const giveUp = (): void => given.resolve();
    over.addEventListener("abort", giveUp, { once: true });
    while (this.#works.size >= most && !over.aborted) await Promise.race([...this.#works, given.promise]);
    over.removeEventListener("abort", giveUp);
  }
}
