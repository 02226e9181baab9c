// HTTP headers as a small class: the platform's own loads 13 MB with its first object. The build hands it to libraries that ask for `Headers`.

export type HeaderInput =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** Names are kept in lower case; several values of one name are joined by a comma. */
export class HttpHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>();

  constructor(input: HeaderInput = {}) {
    if (Symbol.iterator in input)
      for (const [name, value] of input as Iterable<[string, string]>) this.set(name, value);
    else for (const name in input) if (input[name] !== undefined) this.set(name, input[name]);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string | readonly string[]): void {
    this.#values.set(name.toLowerCase(), typeof value === "string" ? value : value.join(", "));
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  forEach(visit: (value: string, name: string) => void): void {
    this.#values.forEach(visit);
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.#values.entries();
  }
}
