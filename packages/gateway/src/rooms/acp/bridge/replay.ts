// What was said in a session, as the updates an editor would have been sent at the time. Pure.
import type { ShownMessage } from "@chela/sdk/protocol";
import { inputOf, outputOf, shapeOf } from "./tool-shapes.ts";

export function updatesOf(message: ShownMessage, workspace: string | undefined): object[] {
  const { role, content = [], hidden } = message;
  if (hidden) return [];
  if (role === "toolResult") return [resultOf(message)];
  const said = content.flatMap((block): object[] => {
    if (block.type === "text")
      return [chunk(role === "user" ? "user_message_chunk" : "agent_message_chunk", block.text)];
    if (block.type === "thinking") return [chunk("agent_thought_chunk", block.thinking)];
    if (block.type !== "toolCall") return [];
    const input = inputOf(block.arguments);
    return [
      {
        sessionUpdate: "tool_call",
        toolCallId: block.id,
        status: "in_progress",
        ...shapeOf(block.name, block.arguments, workspace),
        ...(input ? { rawInput: input } : {}),
      },
    ];
  });
  const answer = message.reply ? [chunk("agent_message_chunk", message.reply)] : [];
  return [...said, ...answer];
}

export function chunk(sessionUpdate: string, text: string): object {
  return { sessionUpdate, content: { type: "text", text } };
}

function resultOf({ toolCallId = "", content, isError }: ShownMessage): object {
  const output = outputOf(content);
  const status = isError ? "failed" : "completed";
  // A diff that is shown already says more than the words about it.
  return { sessionUpdate: "tool_call_update", toolCallId, status, ...(output.length > 0 ? { content: output } : {}) };
}
