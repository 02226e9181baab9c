// The request body of the chat completions API, with everything in which servers that took it over differ.
import { createHash } from "node:crypto";
import type { ImageBlock, ModelRequest, TextBlock, ThinkingBlock, ToolCallBlock } from "@chela/sdk";
import type { CompatView } from "../../config-view.ts";
import { toTurns, type AssistantBlock, type ToolResult, type Turn } from "../history.ts";
import { effortFor, isOpenaiModel } from "./openai-effort.ts";
import { COMMON_EFFORT } from "../thinking-levels.ts";
import { parseJsonObject } from "../json-object.ts";
import type { WireSettings } from "../wire.ts";

type Json = Record<string, unknown>;

/** These demand their earlier thinking back when tools were called; most other servers refuse the field. */
const WANTS_THINKING_BACK = /deepseek|moonshot|kimi/i;
const AFTER_RESULTS = "I have read the results.";

/** How this server is spoken to, worked out once. */
export interface ChatStyle {
  readonly compat: CompatView;
  readonly isOpenai: boolean;
  readonly thinkingBack: boolean;
}

export function chatStyleOf(settings: WireSettings): ChatStyle {
  const { provider, modelId, baseUrl, compat } = settings;
  return {
    compat,
    isOpenai: provider === "openai",
    thinkingBack: WANTS_THINKING_BACK.test(`${provider} ${modelId} ${baseUrl}`),
  };
}

/** Writes requests. Their tools are the same turn after turn and most of the bytes, so those are kept as long as they are. */
export function createBodyWriter(style: ChatStyle): (request: ModelRequest) => string | Uint8Array {
  const written = new WeakMap<ModelRequest["tools"], Buffer>();
  const writeTools = (request: ModelRequest): Buffer => {
    const known = written.get(request.tools);
    if (known) return known;
    const bytes = Buffer.from(`,"tools":${JSON.stringify(toChatTools(request, style.compat))}}`);
    written.set(request.tools, bytes);
    return bytes;
  };
  return (request) => {
    const body = JSON.stringify(toChatBody(request, style));
    return request.tools.length > 0 ? Buffer.concat([Buffer.from(body.slice(0, -1)), writeTools(request)]) : body;
  };
}

/** All but the tools. */
function toChatBody(request: ModelRequest, style: ChatStyle): Json {
  const { compat, isOpenai } = style;
  const maxTokensField = compat.maxTokensField ?? (isOpenai ? "max_completion_tokens" : "max_tokens");
  return {
    model: request.model.id,
    messages: toChatMessages(request, style),
    stream: true,
    ...((compat.supportsUsageInStreaming ?? true) ? { stream_options: { include_usage: true } } : {}),
    [maxTokensField]: request.maxTokens ?? request.model.maxTokens,
    ...((compat.supportsStore ?? isOpenai) ? { store: false } : {}),
    ...(isOpenai ? { prompt_cache_key: request.sessionId.slice(0, 64) } : {}),
    ...thinkingFor(request, style),
  };
}

function toChatTools(request: ModelRequest, compat: CompatView): Json[] {
  const strict = compat.supportsStrictMode ? { strict: false } : {};
  return request.tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters, ...strict },
  }));
}

function thinkingFor(request: ModelRequest, { compat, isOpenai }: ChatStyle): Json {
  const { model, thinking } = request;
  if (!model.reasoning) return {};
  const thinks = thinking !== "off";
  if (compat.thinkingFormat === "zai") return { thinking: { type: thinks ? "enabled" : "disabled" } };
  if (compat.thinkingFormat === "qwen") return { enable_thinking: thinks };
  if (compat.thinkingFormat === "qwen-chat-template") return { chat_template_kwargs: { enable_thinking: thinks } };
  if (compat.thinkingFormat === "openrouter")
    return { reasoning: thinks ? { effort: COMMON_EFFORT[thinking] } : { enabled: false } };
  if (compat.supportsReasoningEffort === false) return {};
  const effort = isOpenai || isOpenaiModel(model.id) ? effortFor(request) : COMMON_EFFORT[thinking];
  return effort ? { reasoning_effort: effort } : {};
}

function toChatMessages(request: ModelRequest, style: ChatStyle): Json[] {
  const { compat, isOpenai } = style;
  const messages: Json[] = [];
  const isDeveloper = compat.supportsDeveloperRole ?? (isOpenai && request.model.reasoning);
  if (request.system) messages.push({ role: isDeveloper ? "developer" : "system", content: request.system });
  let before: Turn["kind"] | undefined;
  for (const turn of toTurns(request.messages, request.model)) {
    if (turn.kind === "user") {
      if (before === "results" && compat.requiresAssistantAfterToolResult) messages.push(bridge());
      messages.push({ role: "user", content: toUserContent(turn.blocks) });
    } else if (turn.kind === "assistant") {
      const message = toAssistant(turn.blocks, style);
      if (message) messages.push(message);
    } else addResults(messages, turn.results, compat);
    before = turn.kind;
  }
  return messages;
}

function bridge(): Json {
  return { role: "assistant", content: AFTER_RESULTS };
}

/** This API has no place for images in a result, so they follow in a message of the user. */
function addResults(messages: Json[], results: readonly ToolResult[], compat: CompatView): void {
  for (const { callId, toolName, text } of results) {
    messages.push({
      role: "tool",
      tool_call_id: callIdFor(callId, compat),
      ...(compat.requiresToolResultName ? { name: toolName } : {}),
      content: text,
    });
  }
  const images = results.flatMap((result) => result.images);
  if (images.length === 0) return;
  if (compat.requiresAssistantAfterToolResult) messages.push(bridge());
  messages.push({ role: "user", content: toUserContent(images) });
}

function toUserContent(blocks: readonly (TextBlock | ImageBlock)[]): string | Json[] {
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === "text") return (only as TextBlock).text;
  return blocks.map((block) => {
    if (block.type === "text") return { type: "text", text: (block as TextBlock).text };
    const { mimeType, data } = block as ImageBlock;
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
  });
}

function toAssistant(blocks: readonly AssistantBlock[], { compat, thinkingBack }: ChatStyle): Json | undefined {
  let content = "";
  let thinking = "";
  const calls: Json[] = [];
  const details: unknown[] = [];
  for (const block of blocks) {
    if (block.type === "text") content += (block as TextBlock).text;
    else if (block.type === "toolCall") calls.push(toCall(block as ToolCallBlock, compat, details));
    else if (compat.requiresThinkingAsText) content += asText(block as ThinkingBlock);
    else thinking += (block as ThinkingBlock).thinking;
  }
  if (content === "" && calls.length === 0) return undefined;
  return {
    role: "assistant",
    content: content === "" ? null : content,
    ...(thinkingBack && thinking !== "" ? { reasoning_content: thinking } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  };
}

function asText({ thinking }: ThinkingBlock): string {
  return thinking === "" ? "" : `<thinking>\n${thinking}\n</thinking>\n\n`;
}

/** A signature is Google's, which goes with the call, or a whole object of OpenRouter's, which goes with the message. */
function toCall(call: ToolCallBlock, compat: CompatView, details: unknown[]): Json {
  const { thoughtSignature: signature } = call;
  const detail = signature?.startsWith("{") ? parseJsonObject(signature) : undefined;
  if (detail) details.push(detail);
  return {
    id: callIdFor(call.id, compat),
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    ...(signature && !signature.startsWith("{") ? { extra_content: { google: { thought_signature: signature } } } : {}),
  };
}

/** Mistral takes ids of exactly nine letters and digits; others are turned into such, always the same way. */
function callIdFor(id: string, compat: CompatView): string {
  if (!compat.requiresMistralToolIds || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}
