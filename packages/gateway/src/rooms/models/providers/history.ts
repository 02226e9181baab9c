// Makes a conversation legal for every provider: turns alternate, each tool call has its result right behind it.
import {
  type AgentMessage,
  type AssistantMessage,
  type ImageBlock,
  type ModelInfo,
  type TextBlock,
  type ThinkingBlock,
  type ToolCallBlock,
} from "@chela/sdk";

export interface ToolResult {
  readonly callId: string;
  readonly toolName: string;
  readonly text: string;
  readonly images: readonly ImageBlock[];
  readonly isError: boolean;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;

export type Turn =
  | { readonly kind: "user"; readonly blocks: (TextBlock | ImageBlock)[] }
  | { readonly kind: "assistant"; readonly blocks: AssistantBlock[] }
  /** Results of the calls in the assistant turn before, in the order of the calls. */
  | { readonly kind: "results"; readonly results: ToolResult[] };

const NO_RESULT = "No result was recorded for this call.";
const NO_OUTPUT = "(no output)";
const NO_IMAGES = "[An image was left out: this model reads text only.]";
const BEGINNING = "(Earlier messages are not shown.)";

export function toTurns(messages: readonly AgentMessage[], model: ModelInfo): Turn[] {
  const builder = new TurnBuilder(model);
  for (const message of messages) {
    if (message.role === "user") builder.addUser(blocksOf(message.content));
    else if (message.role === "assistant") builder.addAssistant(message);
    else builder.addResult(message);
  }
  return builder.finish();
}

class TurnBuilder {
  readonly #model: ModelInfo;
  readonly #turns: Turn[] = [];
  /** Calls that still wait for their result, and the turn it belongs into. */
  readonly #open = new Map<string, ToolResult[]>();

  constructor(model: ModelInfo) {
    this.#model = model;
  }

  addUser(blocks: readonly (TextBlock | ImageBlock)[]): void {
    const kept = this.#readable(blocks);
    if (kept.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.kind === "user") last.blocks.push(...kept);
    else this.#turns.push({ kind: "user", blocks: kept });
  }

  addAssistant(message: AssistantMessage): void {
    const blocks = keepBlocks(message, this.#model);
    if (blocks.length === 0) return;
    const calls = blocks.filter((block): block is ToolCallBlock => block.type === "toolCall");
    this.#open.clear();
    const last = this.#turns.at(-1);
    if (last?.kind === "assistant") last.blocks.push(...apart(last.blocks, blocks));
    else this.#turns.push({ kind: "assistant", blocks });
    if (calls.length === 0) return;
    const results = calls.map((call) => missingResult(call));
    for (const call of calls) this.#open.set(call.id, results);
    this.#turns.push({ kind: "results", results });
  }

  /** A result without its call would be refused by every provider, so it is dropped. */
  addResult(message: Extract<AgentMessage, { role: "toolResult" }>): void {
    const callId = cleanCallId(message.toolCallId);
    const results = this.#open.get(callId);
    const at = results?.findIndex((result) => result.callId === callId) ?? -1;
    if (!results || at < 0) return;
    this.#open.delete(callId);
    const blocks = this.#readable(message.content);
    results[at] = {
      callId,
      toolName: cleanName(message.toolName),
      text: blocks.flatMap((block) => (isText(block) ? [block.text] : [])).join("\n") || NO_OUTPUT,
      images: blocks.filter(isImage),
      isError: message.isError,
    };
  }

  finish(): Turn[] {
    if (this.#turns[0]?.kind === "assistant") {
      this.#turns.unshift({ kind: "user", blocks: [{ type: "text", text: BEGINNING }] });
    }
    return this.#turns;
  }

  #readable(blocks: readonly (TextBlock | ImageBlock)[]): (TextBlock | ImageBlock)[] {
    const seesImages = this.#model.input.includes("image");
    return blocks.flatMap((block): (TextBlock | ImageBlock)[] => {
      if (isText(block)) return block.text === "" ? [] : [block];
      return [seesImages ? block : { type: "text", text: NO_IMAGES }];
    });
  }
}

/** Thinking and its signatures mean something only to the model that wrote them, and only when it came to an end. */
function keepBlocks(message: AssistantMessage, model: ModelInfo): AssistantBlock[] {
  const own = message.provider === model.provider && message.api === model.api && message.model === model.id;
  const whole = message.stopReason !== "error" && message.stopReason !== "aborted";
  return message.content.flatMap((block): AssistantBlock[] => {
    if (block.type === "text") return (block as TextBlock).text === "" ? [] : [block as TextBlock];
    if (block.type === "thinking") return own && whole ? [block as ThinkingBlock] : [];
    const { thoughtSignature, ...call } = block as ToolCallBlock;
    const kept = { ...call, id: cleanCallId(call.id), name: cleanName(call.name) };
    return [own && thoughtSignature ? { ...kept, thoughtSignature } : kept];
  });
}

/** Two answers in a row become one turn, and stay two paragraphs where an API knows only one text. */
function apart(before: readonly AssistantBlock[], blocks: readonly AssistantBlock[]): AssistantBlock[] {
  const first = blocks.findIndex(({ type }) => type === "text");
  if (first < 0 || !before.some(({ type }) => type === "text")) return [...blocks];
  return blocks.map((block, at) => (at === first ? { ...block, text: `\n\n${(block as TextBlock).text}` } : block));
}

/** Ids travel between providers, whose alphabets differ: this is what all of them take. */
function cleanCallId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
}

/** What a model made up as a name was refused when it called; it must not be refused once more with each later request. */
function cleanName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

function missingResult(call: ToolCallBlock): ToolResult {
  return { callId: call.id, toolName: call.name, text: NO_RESULT, images: [], isError: true };
}

function blocksOf(content: Extract<AgentMessage, { role: "user" }>["content"]): readonly (TextBlock | ImageBlock)[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function isText(block: TextBlock | ImageBlock): block is TextBlock {
  return block.type === "text";
}

function isImage(block: TextBlock | ImageBlock): block is ImageBlock {
  return block.type === "image";
}
