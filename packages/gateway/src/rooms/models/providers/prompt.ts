// Turns our messages into the prompt format of the AI SDK.
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ImageBlock, ModelRequest, TextBlock, ThinkingBlock, ToolCallBlock } from "@chela/sdk";
import { toTurns, type AssistantBlock, type ToolResult } from "./history.ts";

/** Where the APIs differ. */
export interface PromptStyle {
  /** Otherwise images of a tool result follow in a user message. */
  readonly imagesInToolResults: boolean;
  /** How a thinking block goes back to the model; undefined leaves it out. */
  thinkingOptions(block: ThinkingBlock): SharedV3ProviderOptions | undefined;
  /** How the signature of a tool call goes back. */
  signatureOptions?(signature: string): SharedV3ProviderOptions;
  /** Marks up to where the provider shall cache the prompt. */
  readonly cacheMark?: SharedV3ProviderOptions;
}

type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];
type UserPart = Extract<LanguageModelV3Message, { role: "user" }>["content"][number];

export function toPrompt(request: ModelRequest, style: PromptStyle): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  if (request.system) prompt.push({ role: "system", content: request.system, ...markOf(style) });
  for (const turn of toTurns(request.messages, request.model)) {
    if (turn.kind === "user") prompt.push({ role: "user", content: turn.blocks.map(toUserPart) });
    else if (turn.kind === "results") prompt.push(...toResultMessages(turn.results, style));
    else {
      const content = turn.blocks.flatMap((block) => toAssistantParts(block, style));
      if (content.length > 0) prompt.push({ role: "assistant", content });
    }
  }
  const last = prompt.at(-1);
  if (last && last.role !== "system" && style.cacheMark) last.providerOptions = style.cacheMark;
  return prompt;
}

export function toTools(request: ModelRequest): LanguageModelV3FunctionTool[] {
  return request.tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
  }));
}

function markOf(style: PromptStyle): { providerOptions?: SharedV3ProviderOptions } {
  return style.cacheMark ? { providerOptions: style.cacheMark } : {};
}

function toUserPart(block: TextBlock | ImageBlock): UserPart {
  if (block.type === "text") return { type: "text", text: (block as TextBlock).text };
  const image = block as ImageBlock;
  return { type: "file", data: image.data, mediaType: image.mimeType };
}

function toAssistantParts(block: AssistantBlock, style: PromptStyle): AssistantPart[] {
  if (block.type === "text") return [{ type: "text", text: (block as TextBlock).text }];
  if (block.type === "thinking") {
    const thinking = block as ThinkingBlock;
    const providerOptions = style.thinkingOptions(thinking);
    return providerOptions ? [{ type: "reasoning", text: thinking.thinking, providerOptions }] : [];
  }
  const call = block as ToolCallBlock;
  const providerOptions = call.thoughtSignature ? style.signatureOptions?.(call.thoughtSignature) : undefined;
  return [
    {
      type: "tool-call",
      toolCallId: call.id,
      toolName: call.name,
      input: call.arguments,
      ...(providerOptions ? { providerOptions } : {}),
    },
  ];
}

function toResultMessages(results: readonly ToolResult[], style: PromptStyle): LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = [
    { role: "tool", content: results.map((result) => toResultPart(result, style)) },
  ];
  const images = style.imagesInToolResults ? [] : results.flatMap((result) => result.images);
  if (images.length > 0) messages.push({ role: "user", content: images.map(toUserPart) });
  return messages;
}

function toResultPart(result: ToolResult, style: PromptStyle): LanguageModelV3ToolResultPart {
  return { type: "tool-result", toolCallId: result.callId, toolName: result.toolName, output: toOutput(result, style) };
}

function toOutput(result: ToolResult, style: PromptStyle): LanguageModelV3ToolResultPart["output"] {
  if (result.isError) return { type: "error-text", value: result.text };
  if (result.images.length === 0 || !style.imagesInToolResults) return { type: "text", value: result.text };
  return {
    type: "content",
    value: [
      { type: "text", text: result.text },
      ...result.images.map((image) => ({ type: "image-data" as const, data: image.data, mediaType: image.mimeType })),
    ],
  };
}
