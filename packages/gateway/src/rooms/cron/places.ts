// A bounded number of places for work; who finds none waits, the first to come is the first to be let in.

export class Places {
  readonly #limit: () => number;
  readonly #waiting: Array<() => void> = [];
  #taken = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  async within<T>(work: () => Promise<T>): Promise<T> {
    while (this.#taken >= Math.max(1, this.#limit())) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      this.#waiting.shift()?.();
    }
  }
}
