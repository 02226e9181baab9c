// Counts tokens the way a model does: an estimate by characters, corrected by what the provider counted last.
import type {
  AgentMessage,
  ImageBlock,
  ModelInfo,
  ModelTool,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  Usage,
} from "@chela/sdk";
import { estimateText } from "./count-text.ts";

/** How many tokens a message takes. */
export type CountMessage = (message: AgentMessage) => number;

type CountedModel = Pick<ModelInfo, "provider" | "id">;

interface CountedRequest {
  readonly model: CountedModel;
  readonly system: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly ModelTool[];
}

export interface RequestSizes {
  readonly system: number;
  readonly tools: number;
  readonly history: number;
  readonly message: number;
}

export interface TokenCounter {
  message(model: CountedModel, message: AgentMessage): number;
  text(model: CountedModel, text: string): number;
  request(request: CountedRequest): number;
  /** The same by parts; `message` is the last one, `history` what stands before it. */
  sizes(request: CountedRequest): RequestSizes;
  /** Learns from the provider's own count of a request that was sent. */
  calibrate(request: CountedRequest, usage: Pick<Usage, "input" | "cacheRead" | "cacheWrite">): void;
}

const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 12;
const RESULT_TOKENS = 8;
const TOOL_TOKENS = 10;

/** Providers count an image by its pixels, which grow with its bytes up to the size they scale it down to. */
const IMAGE_SIZES = [
  { base64Chars: 20_000, tokens: 300 },
  { base64Chars: 150_000, tokens: 900 },
  { base64Chars: Infinity, tokens: 1600 },
] as const;

const LOWEST_FACTOR = 0.5;
const HIGHEST_FACTOR = 2;
/** How much a new count moves what was learned before. */
const NEW_SHARE = 0.3;
/** In a tiny request the provider's own additions outweigh what we sent. */
const TOO_SMALL_TO_LEARN = 200;
const MOST_PROMPTS = 32;

export function createTokenCounter(): TokenCounter {
  const factors = new Map<string, number>();
  const known = new WeakMap<AgentMessage, number>();
  const factorOf = (model: CountedModel): number => factors.get(nameOf(model)) ?? 1;
  const estimate = (message: AgentMessage): number => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const tokens = estimateMessage(message);
    known.set(message, tokens);
    return tokens;
  };
  const prompts = createTextMemory();
  const toolLists = new WeakMap<readonly ModelTool[], number>();
  const estimateTools = (tools: readonly ModelTool[]): number => {
    const tokens = toolLists.get(tools) ?? sum(tools, estimateTool);
    toolLists.set(tools, tokens);
    return tokens;
  };
  const estimateRequest = ({ system, messages, tools }: CountedRequest): number =>
    prompts(system) + sum(messages, estimate) + estimateTools(tools);
  return {
    message: (model, message) => Math.ceil(estimate(message) * factorOf(model)),
    text: (model, text) => Math.ceil(estimateText(text) * factorOf(model)),
    request: (request) => Math.ceil(estimateRequest(request) * factorOf(request.model)),
    sizes({ model, system, messages, tools }) {
      const factor = factorOf(model);
      const last = messages.at(-1);
      const message = last ? estimate(last) : 0;
      const scaled = (tokens: number): number => Math.ceil(tokens * factor);
      return {
        system: scaled(prompts(system)),
        tools: scaled(estimateTools(tools)),
        history: scaled(sum(messages, estimate) - message),
        message: scaled(message),
      };
    },
    calibrate(request, { input, cacheRead, cacheWrite }) {
      const name = nameOf(request.model);
      const factor = nextFactor(factors.get(name), estimateRequest(request), input + cacheRead + cacheWrite);
      if (factor !== undefined) factors.set(name, factor);
    },
  };
}

/** Prompts stay the same for many requests: the last few are counted once. */
function createTextMemory(): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? estimateText(text);
    known.delete(text);
    known.set(text, tokens);
    const oldest = known.keys().next().value;
    if (known.size > MOST_PROMPTS && oldest !== undefined) known.delete(oldest);
    return tokens;
  };
}

/** The estimate for a model nobody has counted with yet. */
export function estimateMessage(message: AgentMessage): number {
  const extra = message.role === "toolResult" ? RESULT_TOKENS : 0;
  if (typeof message.content === "string") return MESSAGE_TOKENS + estimateText(message.content);
  const blocks: readonly { readonly type: string }[] = message.content;
  return MESSAGE_TOKENS + extra + sum(blocks, estimateBlock);
}

function estimateBlock(block: { readonly type: string }): number {
  switch (block.type) {
    case "text":
      return estimateText((block as TextBlock).text);
    case "thinking":
      return estimateText((block as ThinkingBlock).thinking);
    case "toolCall": {
      const call = block as ToolCallBlock;
      return CALL_TOKENS + estimateText(call.name) + estimateText(JSON.stringify(call.arguments));
    }
    default:
      return tokensOfImage(block as ImageBlock);
  }
}

function tokensOfImage({ data }: ImageBlock): number {
  const size = IMAGE_SIZES.find(({ base64Chars }) => data.length <= base64Chars);
  return size?.tokens ?? 0;
}

function estimateTool({ name, description, parameters }: ModelTool): number {
  return TOOL_TOKENS + estimateText(name) + estimateText(description) + estimateText(JSON.stringify(parameters));
}

function nextFactor(before: number | undefined, estimated: number, counted: number): number | undefined {
  if (estimated < TOO_SMALL_TO_LEARN || !(counted > 0)) return undefined;
  const seen = Math.min(HIGHEST_FACTOR, Math.max(LOWEST_FACTOR, counted / estimated));
  return before === undefined ? seen : before + (seen - before) * NEW_SHARE;
}

function nameOf({ provider, id }: CountedModel): string {
  return `${provider}/${id}`;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
