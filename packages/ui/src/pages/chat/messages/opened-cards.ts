// Remembers tool cards somebody opened or closed: a card comes and goes with scrolling, and moves when its tool is done.

const MOST = 500;

class OpenedCards {
  readonly #opened = new Map<string, boolean>();

  /** Undefined when nobody touched it. */
  get(callId: string): boolean | undefined {
    return this.#opened.get(callId);
  }

  set(callId: string, isOpen: boolean): void {
    this.#opened.delete(callId);
    this.#opened.set(callId, isOpen);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > MOST && oldest !== undefined) this.#opened.delete(oldest);
  }
}

export const openedCards = new OpenedCards();
