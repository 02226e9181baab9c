// Lets only so many works run at a time; the others wait, in the order they were asked for.

export class AtMost {
  readonly #limit: number;
  readonly #waiting: Array<() => void> = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      // The place goes straight to the next, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
