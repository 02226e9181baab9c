// Calls made before, to be made again. They stay in this page: parameters may hold secrets.

export interface PastCall {
  readonly method: string;
  readonly params: string;
}

const MOST_CALLS = 50;

export class CallHistory {
  #calls: PastCall[] = [];
  /** How far back somebody has gone; -1 is what they were typing. */
  #at = -1;

  get all(): readonly PastCall[] {
    return this.#calls;
  }

  add(call: PastCall): void {
    const others = this.#calls.filter(({ method, params }) => method !== call.method || params !== call.params);
    this.#calls = [call, ...others].slice(0, MOST_CALLS);
    this.#at = -1;
  }

  /** One further back; undefined when there is none. */
  older(): PastCall | undefined {
    if (this.#at + 1 >= this.#calls.length) return undefined;
    this.#at += 1;
    return this.#calls[this.#at];
  }

  newer(): PastCall | undefined {
    if (this.#at <= 0) return undefined;
    this.#at -= 1;
    return this.#calls[this.#at];
  }
}
