// Finds the tool calls that a dead process left without a result. Pure.
import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage } from "@chela/sdk";

/** Those of the newest turn, in order. Some models number their calls anew in each answer: an id alone tells nothing. */
export function openCalls(messages: readonly AgentMessage[]): ToolCallBlock[] {
  let open: ToolCallBlock[] = [];
  for (const message of messages) {
    if (message.role === "user") open = [];
    else if (message.role === "assistant") open.push(...(message as AssistantMessage).content.filter(isCall));
    else open = withoutFirst(open, (message as ToolResultMessage).toolCallId);
  }
  return open;
}

function withoutFirst(calls: readonly ToolCallBlock[], id: string): ToolCallBlock[] {
  const at = calls.findIndex((call) => call.id === id);
  return calls.filter((_, index) => index !== at);
}

function isCall(block: AssistantMessage["content"][number]): block is ToolCallBlock {
  return block.type === "toolCall";
}
