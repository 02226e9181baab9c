// Words the gateway puts into a conversation as the agent's own: no model was asked for them.
import { noUsage, type AssistantMessage } from "@chela/sdk";

/** `by` says how they came there, in the words clients know. */
export function ownWords(
  text: string,
  timestamp: number,
  by: "delivery-mirror" | "gateway-injected",
): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "openai-responses",
    provider: "openclaw",
    model: by,
    usage: noUsage(),
    stopReason: "stop",
    timestamp,
  };
}
