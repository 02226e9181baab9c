// The question of a turn, as a worker is asked it. Pure.
import type { AgentMessage, ImageBlock } from "@chela/sdk";

/** The newest question of a conversation, as a worker is asked it. */
export function questionIn(history: readonly AgentMessage[]): { text: string; images: ImageBlock[] } {
  const asked = history.findLast(({ role }) => role === "user");
  if (!asked) return { text: "", images: [] };
  if (typeof asked.content === "string") return { text: asked.content, images: [] };
  const text = asked.content.flatMap((block) => (block.type === "text" ? [String(block["text"])] : [])).join("\n");
  const images = asked.content.flatMap((block) => (block.type === "image" ? [block as ImageBlock] : []));
  return { text, images };
}
