// The ids of the last messages people sent, and the last one in each chat: signs are given on a message.

const MOST = 2_000;

export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #lastIn = new Map<string, string>();

  note(chatId: string, messageId: string): void {
    this.#ids.add(messageId);
    this.#lastIn.delete(chatId);
    this.#lastIn.set(chatId, messageId);
    for (const memory of [this.#ids, this.#lastIn]) {
      const [oldest] = memory.keys();
      if (memory.size > MOST && oldest !== undefined) memory.delete(oldest);
    }
  }

  has(messageId: string): boolean {
    return this.#ids.has(messageId);
  }

  lastIn(chatId: string): string | undefined {
    return this.#lastIn.get(chatId);
  }
}
