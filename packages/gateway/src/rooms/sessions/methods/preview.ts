// Previews of entries, short enough for a list.
import type { TranscriptEntry } from "@chela/sdk";
import { jobOf } from "../../../base/text/job-prompt.ts";
import { shownWords } from "../../../base/text/shown-words.ts";
import { sourceOf } from "../../../base/text/unasked.ts";

type PreviewItem = { role: "user" | "assistant" | "tool" | "system" | "other"; text: string };

export function previewItems(entry: TranscriptEntry, maxChars: number): PreviewItem[] {
  if (entry.type !== "message" || entry["internal"] === true) return [];
  const message = entry["message"] as { role?: string; content?: unknown; [field: string]: unknown };
  const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  if (!Array.isArray(blocks)) return [];
  const text = blocks.flatMap((block) => (block.type === "text" ? [String(block.text)] : [])).join("\n");
  const calls = blocks.flatMap((block) => (block.type === "toolCall" ? [`call ${String(block.name)}`] : []));
  const item = (role: PreviewItem["role"], said: string): PreviewItem[] =>
    said.trim() ? [{ role, text: said.length > maxChars ? `${said.slice(0, maxChars - 1)}…` : said }] : [];
  switch (message.role) {
    case "user":
      // A title is made of what people said, and a list tells theirs from what nobody typed.
      return item(sourceOf(message).kind ? "system" : "user", shownWords("user", text, jobOf(message)));
    case "assistant":
      return [...item("assistant", shownWords("assistant", text)), ...calls.flatMap((call) => item("tool", call))];
    case "toolResult":
      return item("tool", text);
    default:
      return item("other", text);
  }
}
