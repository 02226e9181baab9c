// A value that must not be shown: whoever prints, logs or serialises it by accident gets a placeholder.

const PLACEHOLDER = "[secret]";

export class Secret {
  readonly #value: string;
  /** The only place it may be sent to, such as `https://api.example.com`; undefined when that is not limited. */
  readonly origin: string | undefined;

  constructor(value: string, { origin }: { readonly origin?: string } = {}) {
    this.#value = value;
    this.origin = origin;
  }

  /** The value itself; call it only where it leaves for the one it is meant for. */
  reveal(): string {
    return this.#value;
  }

  /** Whether it may be sent to this address. */
  isFor(address: string): boolean {
    if (this.origin === undefined) return true;
    return URL.canParse(address) && new URL(address.replace(/^ws/, "http")).origin === this.origin;
  }

  toString(): string {
    return PLACEHOLDER;
  }

  toJSON(): string {
    return PLACEHOLDER;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return PLACEHOLDER;
  }
}
