// The messages of a conversation, in the form they have in a transcript.
import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

export const TextBlock = once(() => z.looseObject({ type: z.literal("text"), text: z.string() }));
export const ImageBlock = once(() =>
  z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
);
export const ThinkingBlock = once(() =>
  z.looseObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    thinkingSignature: z.string().optional(),
    redacted: z.boolean().optional(),
  }),
);
export const ToolCallBlock = once(() =>
  z.looseObject({
    type: z.literal("toolCall"),
    id: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    thoughtSignature: z.string().optional(),
    /** What the model wrote, when its arguments could not be read. */
    unreadable: z.string().optional(),
  }),
);

/** A file of the media store that came with a message or went out with an answer; messages name theirs under `media`. */
export const MediaRef = once(() =>
  z.looseObject({
    /** SHA-256 of the content, hexadecimal. */
    id: z.string(),
    fileName: z.string().optional(),
    mimeType: z.string(),
    bytes: z.number(),
  }),
);

export const Cost = once(() =>
  z.looseObject({
    input: z.number().default(0),
    output: z.number().default(0),
    cacheRead: z.number().default(0),
    cacheWrite: z.number().default(0),
    total: z.number().default(0),
  }),
);
export const Usage = once(() =>
  z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    totalTokens: z.number(),
    cost: Cost(),
  }),
);

export const StopReason = once(() => z.enum(["stop", "length", "toolUse", "error", "aborted"]));

export const UserMessage = once(() =>
  z.looseObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(z.union([TextBlock(), ImageBlock()]))]),
    timestamp: z.number(),
  }),
);
export const AssistantMessage = once(() =>
  z.looseObject({
    role: z.literal("assistant"),
    content: z.array(z.union([TextBlock(), ThinkingBlock(), ToolCallBlock()])),
    api: z.string(),
    provider: z.string(),
    model: z.string(),
    usage: Usage(),
    stopReason: StopReason(),
    errorMessage: z.string().optional(),
    /** The provider's own name of the answer, to ask it about. */
    responseId: z.string().optional(),
    timestamp: z.number(),
  }),
);
export const ToolResultMessage = once(() =>
  z.looseObject({
    role: z.literal("toolResult"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.array(z.union([TextBlock(), ImageBlock()])),
    details: z.unknown().optional(),
    isError: z.boolean(),
    timestamp: z.number(),
  }),
);
export const AgentMessage = once(() => z.union([UserMessage(), AssistantMessage(), ToolResultMessage()]));

export type TextBlock = Parsed<typeof TextBlock>;
export type ImageBlock = Parsed<typeof ImageBlock>;
export type ThinkingBlock = Parsed<typeof ThinkingBlock>;
export type ToolCallBlock = Parsed<typeof ToolCallBlock>;
export type MediaRef = Parsed<typeof MediaRef>;
export type Cost = Parsed<typeof Cost>;
export type Usage = Parsed<typeof Usage>;
export type StopReason = Parsed<typeof StopReason>;
export type UserMessage = Parsed<typeof UserMessage>;
export type AssistantMessage = Parsed<typeof AssistantMessage>;
export type ToolResultMessage = Parsed<typeof ToolResultMessage>;
export type AgentMessage = Parsed<typeof AgentMessage>;

/** Usage of a message that no model was asked for. */
export function noUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

/** All text of a message, without thinking, tool calls and images. */
export function textOf(message: { content: AgentMessage["content"] }): string {
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((block) => (block.type === "text" ? [(block as TextBlock).text] : [])).join("\n");
}

/** The files a message names; whatever else stands there is none. */
export function mediaOf(message: object): MediaRef[] {
  const named: unknown = "media" in message ? message.media : undefined;
  if (!Array.isArray(named)) return [];
  return named.flatMap((one) => MediaRef().safeParse(one).data ?? []);
}
