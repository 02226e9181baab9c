// Cache of what was heard lately: names for mentions, texts for quotes. Only for showing; it decides nothing.
import type { ChannelEvent } from "@chela/sdk";
import { Recent } from "@chela/sdk/channel-kit";

const MOST = 500;
const LONGEST_QUOTE = 300;

export class RecentWords {
  readonly #names = new Recent<string>(MOST);
  readonly #texts = new Recent<string>(MOST);

  note({ sender, messageId, content }: ChannelEvent): void {
    for (const id of [sender.id, ...(sender.otherIds ?? [])]) if (sender.name) this.#names.set(id, sender.name);
    if (content.kind === "message" && messageId) this.noteText(messageId, content.text);
  }

  noteText(messageId: string, text: string): void {
    this.#texts.set(messageId, text.slice(0, LONGEST_QUOTE).toWellFormed());
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  textOf(messageId: string): string | undefined {
    return this.#texts.get(messageId);
  }
}
