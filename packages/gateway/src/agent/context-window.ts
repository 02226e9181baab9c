// Chooses the newest part of a conversation that fits into the model's window and is legal to send.
import type { AgentMessage, AssistantMessage } from "@chela/sdk";

/** A cautious average over languages; the provider's own count decides in the end. */
const CHARS_PER_TOKEN = 3;
const IMAGE_CHARS = 8000;

export function fitContext(
  messages: readonly AgentMessage[],
  window: { readonly contextTokens: number; readonly reserveTokens: number },
): AgentMessage[] {
  const budget = Math.max(0, window.contextTokens - window.reserveTokens) * CHARS_PER_TOKEN;
  const usable = messages.filter((message) => !isFailedAnswer(message));
  let start = usable.length;
  for (let chars = 0; start > 0; start--) {
    chars += sizeOf(usable[start - 1]);
    if (chars > budget && start < usable.length) break;
  }
  // A window begins with what a person said: never with an answer or a tool's result in mid-air.
  while (start > 0 && start < usable.length && usable[start]?.role !== "user") start++;
  return usable.slice(start === usable.length ? usable.findLastIndex((message) => message.role === "user") : start);
}

/** An answer that never came says nothing to the model. */
function isFailedAnswer(message: AgentMessage): boolean {
  if (message.role !== "assistant") return false;
  const { stopReason, content } = message as AssistantMessage;
  return content.length === 0 && (stopReason === "error" || stopReason === "aborted");
}

function sizeOf(message: AgentMessage | undefined): number {
  if (!message) return 0;
  if (typeof message.content === "string") return message.content.length;
  return message.content.reduce((sum, block) => {
    if (block.type === "text") return sum + String(block.text).length;
    if (block.type === "thinking") return sum + String(block.thinking).length;
    if (block.type === "toolCall") return sum + JSON.stringify(block.arguments).length + 50;
    return sum + IMAGE_CHARS;
  }, 0);
}
