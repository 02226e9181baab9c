// The ids of the last messages people sent, and the last one in each chat: signs are given on a message.
import { Recent, RecentIds } from "@chela/sdk/channel-kit";

const MOST = 2_000;

export class RecentInChats {
  readonly #ids = new RecentIds(MOST);
  readonly #lastIn = new Recent<string>(MOST);

  note(chatId: string, messageId: string): void {
    this.#ids.add(messageId);
    this.#lastIn.set(chatId, messageId);
  }

  has(messageId: string): boolean {
    return this.#ids.has(messageId);
  }

  lastIn(chatId: string): string | undefined {
    return this.#lastIn.get(chatId);
  }
}
