// Ollama's native chat API: one JSON object per line. Its OpenAI-like API would cut long prompts without a word.
import { randomBytes } from "node:crypto";
import * as z from "zod";
import {
  once,
  type ImageBlock,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type Parsed,
  type TextBlock,
  type ThinkingBlock,
  type ToolCallBlock,
} from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { toTurns, type AssistantBlock } from "./history.ts";
import { readArguments } from "./call-arguments.ts";
import { createHttpWire, type AnswerReader } from "./http-wire.ts";
import { parseEvent } from "./json-object.ts";
import { COMMON_EFFORT } from "./thinking-levels.ts";
import { toUsage } from "./usage.ts";
import { headersWithBearer, trimUrl, type WireSettings } from "./wire.ts";

const Line = once(() =>
  z.looseObject({
    message: z
      .looseObject({
        content: z.string().optional(),
        thinking: z.string().optional(),
        tool_calls: z
          .array(
            z.looseObject({
              function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
            }),
          )
          .nullish(),
      })
      .optional(),
    error: z.string().optional(),
    done: z.boolean().optional(),
    done_reason: z.string().optional(),
    prompt_eval_count: z.number().optional(),
    eval_count: z.number().optional(),
  }),
);
type Line = Parsed<typeof Line>;

export function createOllama(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const url = `${trimUrl(settings.baseUrl, "/v1")}/api/chat`;
  const headers = { ...headersWithBearer({ ...settings, bearer: true }), "content-type": "application/json" };
  return createHttpWire(settings, fetch, {
    prepare: (request) => ({ url, headers, body: JSON.stringify(toBody(request)) }),
    open: (request) => new OllamaAnswer(request),
  });
}

class OllamaAnswer implements AnswerReader {
  readonly #request: ModelRequest;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #isThinking = false;
  #calls = 0;

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  read(bytes: Uint8Array, events: ModelEvent[]): void {
    const come = this.#decoder.decode(bytes, { stream: true });
    // Only what is new is looked through: a long line comes in many pieces.
    if (!come.includes("\n")) return void (this.#rest += come);
    const lines = (this.#rest + come).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") this.#take(line, events);
  }

  close(events: ModelEvent[]): void {
    // A last line without its closing brace means that the connection was cut, which the missing end tells.
    if (this.#rest.trimEnd().endsWith("}")) this.#take(this.#rest, events);
  }

  #take(text: string, events: ModelEvent[]): void {
    const line = Line().parse(parseEvent(text));
    if (line.error !== undefined) throw Object.assign(new Error(line.error), { responseBody: text });
    const { thinking, content, tool_calls: toolCalls } = line.message ?? {};
    if (thinking) {
      this.#isThinking = true;
      events.push({ kind: "thinking", delta: thinking });
    }
    if (this.#isThinking && (content || toolCalls?.length || line.done)) {
      this.#isThinking = false;
      events.push({ kind: "thinking-end" });
    }
    if (content) events.push({ kind: "text", delta: content });
    for (const call of toolCalls ?? []) {
      this.#calls++;
      const { name, arguments: args } = call.function;
      events.push({ kind: "tool-call", id: `call_${randomBytes(6).toString("hex")}`, name, ...argumentsOf(args) });
    }
    if (line.done) events.push(toFinish(line, this.#request, this.#calls));
  }
}

/** Objects, as a rule; small models make Ollama hand on what they wrote. */
function argumentsOf(args: unknown): ReturnType<typeof readArguments> {
  return readArguments(typeof args === "string" ? args : JSON.stringify(args ?? {}));
}

function toFinish(line: Line, request: ModelRequest, calls: number): ModelEvent {
  const input = line.prompt_eval_count ?? 0;
  const tokens = { input, output: line.eval_count ?? 0, cacheRead: 0, cacheWrite: 0 };
  const stopReason = line.done_reason === "length" ? "length" : calls > 0 ? "toolUse" : "stop";
  return { kind: "finish", stopReason, usage: toUsage(tokens, request.model) };
}

function toBody(request: ModelRequest): Record<string, unknown> {
  const { model, system, tools } = request;
  const messages = request.system ? [{ role: "system", content: system }] : [];
  return {
    model: model.id,
    messages: [...messages, ...toMessages(request)],
    stream: true,
    // Ollama takes 4096 tokens unless told otherwise, and forgets the beginning of what is longer.
    options: { num_ctx: model.contextWindow, num_predict: request.maxTokens ?? model.maxTokens },
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description, parameters },
          })),
        }
      : {}),
    ...thinkFor(request),
  };
}

/** Models that cannot think refuse the field, and gpt-oss wants a level. */
function thinkFor({ model, thinking }: ModelRequest): { think?: boolean | string } {
  if (!model.reasoning) return {};
  if (thinking === "off") return { think: false };
  if (!model.id.startsWith("gpt-oss")) return { think: true };
  return { think: COMMON_EFFORT[thinking] ?? "low" };
}

function toMessages(request: ModelRequest): Record<string, unknown>[] {
  return toTurns(request.messages, request.model).flatMap((turn): Record<string, unknown>[] => {
    if (turn.kind === "user") return [{ role: "user", ...toContent(turn.blocks) }];
    if (turn.kind === "assistant") return [toAssistant(turn.blocks)];
    return turn.results.map((result) => ({
      role: "tool",
      tool_name: result.toolName,
      content: result.isError ? `Error: ${result.text}` : result.text,
      ...imagesOf(result.images),
    }));
  });
}

function toAssistant(blocks: readonly AssistantBlock[]): Record<string, unknown> {
  const thinking = blocks.flatMap((block) => (block.type === "thinking" ? [(block as ThinkingBlock).thinking] : []));
  const calls = blocks.filter((block): block is ToolCallBlock => block.type === "toolCall");
  return {
    role: "assistant",
    content: blocks.flatMap((block) => (block.type === "text" ? [(block as TextBlock).text] : [])).join("\n"),
    ...(thinking.length > 0 ? { thinking: thinking.join("\n") } : {}),
    ...(calls.length > 0
      ? { tool_calls: calls.map((call) => ({ function: { name: call.name, arguments: call.arguments } })) }
      : {}),
  };
}

function toContent(blocks: readonly (TextBlock | ImageBlock)[]): Record<string, unknown> {
  const content = blocks.flatMap((block) => (block.type === "text" ? [(block as TextBlock).text] : [])).join("\n");
  return { content, ...imagesOf(blocks.filter((block): block is ImageBlock => block.type === "image")) };
}

function imagesOf(images: readonly ImageBlock[]): { images?: string[] } {
  return images.length > 0 ? { images: images.map((image) => image.data) } : {};
}
