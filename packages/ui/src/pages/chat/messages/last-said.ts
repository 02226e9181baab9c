// The words a person said last in a conversation, to say them again with a change.
import type { Conversation } from "../conversation.ts";

/** How far back it is looked for: further up nobody remembers it as the last. */
const FURTHEST = 200;

export function lastSaid({ unsent, entries }: Conversation): string | undefined {
  const waiting = unsent.all.value.at(-1)?.text;
  if (waiting) return waiting;
  for (let index = entries.total - 1; index >= Math.max(0, entries.total - FURTHEST); index -= 1) {
    const message = entries.peek(index);
    if (message?.role !== "user") continue;
    const text = (message.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
    if (text.trim()) return text;
  }
  return undefined;
}
