// Remembers the last values by key, or the last ids, and forgets the oldest.

export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number, values: Iterable<readonly [string, Value]> = []) {
    this.#most = most;
    for (const [key, value] of values) this.set(key, value);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** It is the newest from now on, also when it was there before. */
  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  /** Oldest first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#values.entries();
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }
}

/** Ids of messages that were taken, or that are ours. */
export class RecentIds {
  readonly #ids: Recent<true>;

  constructor(most: number, ids: Iterable<string> = []) {
    this.#ids = new Recent(most);
    for (const id of ids) this.add(id);
  }

  add(id: string): void {
    this.#ids.set(id, true);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Oldest first. */
  list(): string[] {
    return Array.from(this.#ids.entries(), ([id]) => id);
  }
}
