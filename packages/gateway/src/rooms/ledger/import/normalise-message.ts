// The message inside a transcript record: blocks, usage and stop reasons of every dialect become ours.
import { defined } from "@chela/sdk/base";
import { noUsage } from "@chela/sdk";

type Fields = Record<string, unknown>;

const TEXT_BLOCKS = new Set(["text", "output_text", "input_text"]);
const CALL_BLOCKS = new Set(["toolCall", "tool_use", "toolUse", "tool_call", "functionCall"]);
const STOP_REASONS: Record<string, string> = {
  tool_use: "toolUse",
  tool_calls: "toolUse",
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
};
const KNOWN_STOPS = new Set(["stop", "length", "toolUse", "error", "aborted"]);
/** Where only the wire API was noted as provider, this is who speaks it. */
const PROVIDER_OF_API: Record<string, string> = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai",
  "openai-completions": "openai",
  "openai-codex-responses": "openai-codex",
  "google-generative-ai": "google",
  "google-gemini-cli": "google-gemini-cli",
  "bedrock-converse-stream": "amazon-bedrock",
};
const USAGE_NAMES = {
  input: ["input", "inputTokens", "input_tokens"],
  output: ["output", "outputTokens", "output_tokens"],
  cacheRead: ["cacheRead", "cacheReadTokens", "cacheReadInputTokens", "cache_read_input_tokens"],
  cacheWrite: ["cacheWrite", "cacheWriteTokens", "cacheCreationInputTokens", "cache_creation_input_tokens"],
  totalTokens: ["totalTokens", "total_tokens", "total"],
} as const;

/** `at` is the record's own time, for messages that carry none. */
export function normaliseMessage(message: Fields, at: number): Fields {
  const timestamp = toMilliseconds(message["timestamp"]) ?? at;
  switch (message["role"]) {
    case "user":
      return { ...message, content: userContent(message["content"]), timestamp };
    case "assistant":
      return { ...message, ...assistantFields(message), timestamp };
    case "toolResult":
    case "tool_result":
    case "tool":
      return toolResult(message, timestamp);
    case "hookMessage":
      return { ...message, role: "custom", timestamp };
    default:
      return message;
  }
}

function userContent(content: unknown): unknown {
  return typeof content === "string" ? content : blocksOf(content);
}

function assistantFields(message: Fields): Fields {
  const model = text(message["model"]) ?? "unknown";
  const given = text(message["provider"]) ?? "unknown";
  const isApi = text(message["api"]) === undefined && given in PROVIDER_OF_API;
  const provider = model === "delivery-mirror" && isApi ? "openclaw" : isApi ? PROVIDER_OF_API[given] : given;
  const content = blocksOf(message["content"]);
  const callsTool = content.some((block) => (block as Fields)["type"] === "toolCall");
  return {
    content,
    api: text(message["api"]) ?? (isApi ? given : "unknown"),
    provider,
    model,
    usage: normaliseUsage(message["usage"]),
    stopReason: normaliseStop(message["stopReason"]) ?? (callsTool ? "toolUse" : "stop"),
  };
}

function toolResult(message: Fields, timestamp: number): Fields {
  const { tool_use_id: oldId, ...rest } = message;
  return {
    ...rest,
    role: "toolResult",
    toolCallId: text(message["toolCallId"]) ?? text(oldId) ?? "unknown",
    toolName: text(message["toolName"]) ?? text(message["name"]) ?? "unknown",
    content: blocksOf(message["content"]),
    isError: message["isError"] === true,
    timestamp,
  };
}

function blocksOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content.map(normaliseBlock);
  return content === undefined || content === null || content === "" ? [] : [normaliseBlock(content)];
}

function normaliseBlock(block: unknown): unknown {
  if (typeof block === "string") return { type: "text", text: block };
  if (typeof block !== "object" || block === null) return { type: "text", text: JSON.stringify(block) };
  const fields = block as Fields;
  const type = String(fields["type"]);
  if (TEXT_BLOCKS.has(type)) return { ...fields, type: "text", text: text(fields["text"]) ?? "" };
  if (CALL_BLOCKS.has(type)) return toolCall(fields);
  if (type === "thinking") return thinking(fields);
  if (type === "image") return image(fields);
  return block;
}

function toolCall(fields: Fields): Fields {
  const { input, args, ...rest } = fields;
  const given = fields["arguments"] ?? input ?? args;
  return {
    ...rest,
    type: "toolCall",
    id: text(fields["id"]) ?? "unknown",
    name: text(fields["name"]) ?? "unknown",
    arguments: toObject(given),
  };
}

function toObject(value: unknown): unknown {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  if (typeof value !== "string") return value === undefined || value === null ? {} : { value };
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : { value };
  } catch {
    // Not JSON: kept as the text it is.
    return { value };
  }
}

function thinking(fields: Fields): Fields {
  if (typeof fields["thinking"] === "string") return fields;
  const { text: words, signature, ...rest } = fields;
  const thinkingSignature = text(fields["thinkingSignature"]) ?? text(signature);
  return {
    ...rest,
    type: "thinking",
    thinking: text(words) ?? "",
    ...defined({ thinkingSignature }),
  };
}

function image(fields: Fields): Fields {
  const source = fields["source"] as Fields | undefined;
  if (typeof fields["data"] === "string" || typeof source?.["data"] !== "string") return fields;
  const { source: _, ...rest } = fields;
  return { ...rest, data: source["data"], mimeType: text(source["media_type"]) ?? "application/octet-stream" };
}

function normaliseUsage(usage: unknown): Fields {
  const given = typeof usage === "object" && usage !== null ? (usage as Fields) : {};
  const rest: Fields = { ...given };
  const counts: Record<string, number> = {};
  for (const [name, aliases] of Object.entries(USAGE_NAMES)) {
    const found = aliases.map((alias) => given[alias]).find((value) => Number.isFinite(value));
    for (const alias of aliases) delete rest[alias];
    if (found !== undefined) counts[name] = found as number;
  }
  const empty = noUsage();
  const { cost, ...numbers } = empty;
  const sum = Object.values({ ...counts, totalTokens: 0 }).reduce((total, count) => total + count, 0);
  const givenCost = typeof given["cost"] === "object" && given["cost"] !== null ? (given["cost"] as Fields) : {};
  return { ...numbers, totalTokens: sum, ...counts, ...rest, cost: { ...cost, ...givenCost } };
}

function normaliseStop(reason: unknown): string | undefined {
  if (typeof reason !== "string") return undefined;
  return KNOWN_STOPS.has(reason) ? reason : STOP_REASONS[reason];
}

function toMilliseconds(value: unknown): number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return value < 1e11 ? value * 1000 : value;
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);
