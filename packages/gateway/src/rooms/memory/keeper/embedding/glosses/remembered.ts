// Remembers what was found for a word: the same few make up most of a text, and to look through their forms takes long.

const MOST = 20_000;

export class Remembered {
  readonly #found = new Map<string, string | undefined>();

  /** `find` is asked once for each key, also when it finds nothing. */
  get(key: string, find: () => string | undefined): string | undefined {
    if (this.#found.has(key)) return this.#found.get(key);
    const found = find();
    if (this.#found.size >= MOST) this.#found.clear();
    this.#found.set(key, found);
    return found;
  }
}
