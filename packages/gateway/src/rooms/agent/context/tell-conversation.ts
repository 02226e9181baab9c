// Writes messages down as plain text, for a model that is to summarise them and not to continue them.
import {
  textOf,
  type AgentMessage,
  type AssistantMessage,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";
import { firstChars, lastChars } from "./cut-text.ts";

const MAX_RESULT = { head: 1400, tail: 600 };
const MAX_ARGUMENTS = { head: 500, tail: 100 };

export function tellMessage(message: AgentMessage): string {
  switch (message.role) {
    case "user":
      return `[User]: ${textOf(message)}${imagesOf(message)}`;
    case "assistant":
      return (message as AssistantMessage).content.flatMap(tellBlock).join("\n");
    default: {
      const { toolName, isError } = message as ToolResultMessage;
      const text = shorten(textOf(message), MAX_RESULT);
      return `[Result of ${toolName}${isError ? ", failed" : ""}]: ${text}${imagesOf(message)}`;
    }
  }
}

/** Keeps both ends; `...` stands for what is missing. */
export function shorten(text: string, { head, tail }: { readonly head: number; readonly tail: number }): string {
  const missing = text.length - head - tail;
  if (missing <= 40) return text;
  return `${firstChars(text, head)}\n[... ${missing} characters left out ...]\n${lastChars(text, tail)}`;
}

function tellBlock(block: AssistantMessage["content"][number]): string[] {
  if (block.type === "text") return (block as TextBlock).text ? [`[Assistant]: ${(block as TextBlock).text}`] : [];
  if (block.type !== "toolCall") return [];
  const { name, arguments: given } = block as ToolCallBlock;
  return [`[Assistant calls ${name}]: ${shorten(JSON.stringify(given), MAX_ARGUMENTS)}`];
}

function imagesOf({ content }: AgentMessage): string {
  if (typeof content === "string") return "";
  const images = content.filter(({ type }) => type === "image").length;
  return images === 0 ? "" : ` [${images === 1 ? "an image" : `${images} images`}]`;
}
