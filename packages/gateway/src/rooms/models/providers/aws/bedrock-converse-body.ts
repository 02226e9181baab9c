// The request body of Bedrock's Converse API.
import type { ImageBlock, ModelRequest, TextBlock, ThinkingBlock, ToolCallBlock } from "@chela/sdk";
import { toTurns, type AssistantBlock, type ToolResult, type Turn } from "../history.ts";
import { claudeThinking, COMMON_EFFORT } from "../thinking-levels.ts";

type Json = Record<string, unknown>;
interface Message {
  readonly role: "user" | "assistant";
  readonly content: Json[];
}

const CACHE_POINT = { cachePoint: { type: "default" } };
/** The models here that cache a prompt; others refuse the mark. */
const CACHES = /claude-(?!3-)|nova-(?!2-lite)/;

export function toConverseBody(request: ModelRequest): Json {
  const { model } = request;
  const turns = toTurns(request.messages, model);
  const messages = toMessages(turns);
  const mark = CACHES.test(model.id) ? [CACHE_POINT] : [];
  messages.at(-1)?.content.push(...mark);
  const thinking = thinkingFor(request);
  return {
    ...(request.system ? { system: [{ text: request.system }, ...mark] } : {}),
    messages,
    ...(thinking.maxTokens === undefined ? {} : { inferenceConfig: { maxTokens: thinking.maxTokens } }),
    ...toolsFor(request, turns),
    ...(thinking.fields ? { additionalModelRequestFields: thinking.fields } : {}),
  };
}

/** Bedrock refuses two messages of one role in a row, and results are messages of the user. */
function toMessages(turns: readonly Turn[]): Message[] {
  const messages: Message[] = [];
  for (const turn of turns) {
    const role = turn.kind === "assistant" ? "assistant" : "user";
    const content = contentOf(turn);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  return messages;
}

function contentOf(turn: Turn): Json[] {
  if (turn.kind === "user") return turn.blocks.map(toUserBlock);
  if (turn.kind === "results") return turn.results.map(toResultBlock);
  return turn.blocks.flatMap(toAssistantBlock);
}

function toUserBlock(block: TextBlock | ImageBlock): Json {
  if (block.type === "text") return { text: (block as TextBlock).text };
  const { data, mimeType } = block as ImageBlock;
  return { image: { format: mimeType.replace(/^image\//, "").replace(/^jpg$/, "jpeg"), source: { bytes: data } } };
}

function toResultBlock({ callId, text, images, isError }: ToolResult): Json {
  const content = [{ text }, ...images.map(toUserBlock)];
  return { toolResult: { toolUseId: callId, content, status: isError ? "error" : "success" } };
}

function toAssistantBlock(block: AssistantBlock): Json[] {
  if (block.type === "text") return [{ text: (block as TextBlock).text }];
  if (block.type === "toolCall") {
    const { id, name, arguments: input } = block as ToolCallBlock;
    return [{ toolUse: { toolUseId: id, name, input } }];
  }
  const { thinking, thinkingSignature: signature, redacted } = block as ThinkingBlock;
  if (redacted) return signature ? [{ reasoningContent: { redactedContent: signature } }] : [];
  return signature ? [{ reasoningContent: { reasoningText: { text: thinking, signature } } }] : [];
}

/** A conversation in which tools were used is refused without their description, even when none may be used now. */
function toolsFor(request: ModelRequest, turns: readonly Turn[]): Json {
  const used = turns.flatMap((turn) => (turn.kind === "results" ? turn.results.map(({ toolName }) => toolName) : []));
  const tools = request.tools.map(({ name, description, parameters }) => toTool(name, description, parameters));
  if (tools.length > 0) return { toolConfig: { tools } };
  if (used.length === 0) return {};
  const known = [...new Set(used)].map((name) => toTool(name, "Not available any more.", { type: "object" }));
  return { toolConfig: { tools: known } };
}

function toTool(name: string, description: string, parameters: Json): Json {
  return { toolSpec: { name, description: description || name, inputSchema: { json: parameters } } };
}

interface Thinking {
  readonly maxTokens?: number;
  readonly fields?: Json;
}

/** How each maker's models on Bedrock are told to think. */
function thinkingFor({ model, thinking, maxTokens: wanted }: ModelRequest): Thinking {
  const maxTokens = wanted ?? model.maxTokens;
  if (!model.reasoning || thinking === "off") return { maxTokens };
  const effort = COMMON_EFFORT[thinking];
  if (/openai\./.test(model.id)) return { maxTokens, fields: { reasoning_effort: effort } };
  if (/nova-2/.test(model.id)) {
    const fields = { reasoningConfig: { type: "enabled", maxReasoningEffort: effort } };
    // At its highest effort Nova takes no limit.
    return effort === "high" ? { fields } : { maxTokens, fields };
  }
  return /claude/.test(model.id) ? claudeFields(model.id, thinking, maxTokens) : { maxTokens };
}

function claudeFields(id: string, thinking: ModelRequest["thinking"], maxTokens: number): Thinking {
  const how = claudeThinking(id, thinking);
  if (how.kind === "none") return { maxTokens };
  if (how.kind === "adaptive") {
    return { maxTokens, fields: { thinking: { type: "adaptive" }, output_config: { effort: how.effort } } };
  }
  // Thinking counts as output, so the answer's own room is kept beside it; no Claude with a budget writes more than this.
  const total = Math.min(maxTokens + how.tokens, Math.max(maxTokens, MOST_TOKENS));
  const budget = Math.min(how.tokens, total - LEAST_ANSWER);
  if (budget < LEAST_BUDGET) return { maxTokens };
  return { maxTokens: total, fields: { thinking: { type: "enabled", budget_tokens: budget } } };
}

const MOST_TOKENS = 64_000;
const LEAST_ANSWER = 1_024;
const LEAST_BUDGET = 1_024;
