// What was heard lately: names for mentions, texts for quotes. Only for showing; nothing is decided by it.
import type { ChannelEvent } from "@chela/sdk";

const MOST = 500;
const LONGEST_QUOTE = 300;

export class Recent {
  readonly #names = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  note({ sender, messageId, content }: ChannelEvent): void {
    for (const id of [sender.id, ...(sender.otherIds ?? [])]) if (sender.name) keep(this.#names, id, sender.name);
    if (content.kind === "message" && messageId) this.noteText(messageId, content.text);
  }

  noteText(messageId: string, text: string): void {
    keep(this.#texts, messageId, text.slice(0, LONGEST_QUOTE).toWellFormed());
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  textOf(messageId: string): string | undefined {
    return this.#texts.get(messageId);
  }
}

function keep(map: Map<string, string>, key: string, value: string): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST) map.delete(map.keys().next().value ?? "");
}
