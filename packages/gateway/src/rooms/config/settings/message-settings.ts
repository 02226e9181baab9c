// Settings for messages on their way in and out: queues, previews, prefixes, signs of life. Pure.
import type { ChelaConfig } from "../schema/sections.ts";
import { writtenAgent } from "./defaults.ts";
import { filled, filledSection, laidOver } from "@chela/sdk/config";
import { agentDefaults } from "../schema/agents.ts";
import { messagesSection } from "../schema/messages.ts";

/** How an answer looks on a channel, and what is shown while it is made. */
export interface ReplySettings {
  readonly textChunkLimit: number | undefined;
  readonly chunkMode: "length" | "newline";
  readonly replyToMode: "off" | "first" | "all";
  readonly responsePrefix: string | undefined;
  /** Whether the answer is shown while it is being written. */
  readonly streaming: "off" | "partial" | "block";
  /** "" when none is wanted. */
  readonly ackReaction: string;
  readonly ackIn: AckPlaces;
  readonly removeAckAfterReply: boolean;
  readonly marksRead: boolean;
  readonly typing: "never" | "instant" | "thinking" | "message" | undefined;
  readonly typingEveryMs: number | undefined;
  readonly blocks: BlockStreaming;
  /** Undefined when they are switched off. */
  readonly statusReactions: StatusReactions | undefined;
}

/** Where messages get a reaction as soon as they are taken. */
interface AckPlaces {
  readonly direct: boolean;
  readonly group: "always" | "mentions" | "never";
}

interface BlockStreaming {
  readonly minChars: number;
  readonly maxChars: number;
  readonly prefer: "paragraph" | "newline" | "sentence";
  readonly breakAt: "text_end" | "message_end";
  readonly coalesce: { readonly minChars: number; readonly maxChars: number; readonly idleMs: number };
}

interface StatusReactions {
  readonly emojis: Readonly<
    Record<"queued" | "thinking" | "tool" | "coding" | "web" | "done" | "error" | "stallSoft" | "stallHard", string>
  >;
  readonly debounceMs: number;
  readonly stallSoftMs: number;
  readonly stallHardMs: number;
  readonly doneHoldMs: number;
  readonly errorHoldMs: number;
}

type Settings = Readonly<Record<string, unknown>>;

const DEFAULT_ACK = "👀";
const ACK_PLACES: Readonly<Record<string, AckPlaces>> = {
  "group-mentions": { direct: false, group: "mentions" },
  "group-all": { direct: false, group: "always" },
  direct: { direct: true, group: "never" },
  all: { direct: true, group: "always" },
  off: { direct: false, group: "never" },
  none: { direct: false, group: "never" },
};
const LONGEST_IDLE_MS = 5000;

export function replySettings(config: ChelaConfig, account: Settings, agentId: string): ReplySettings {
  const { session, agents } = config;
  const messages = filledSection(messagesSection, config.messages);
  const limit = account["textChunkLimit"];
  const everySeconds = session?.typingIntervalSeconds ?? agents?.defaults?.typingIntervalSeconds;
  const ack = ackOf(config, account, agentId);
  return {
    textChunkLimit: typeof limit === "number" ? limit : undefined,
    chunkMode: account["chunkMode"] === "newline" ? "newline" : "length",
    replyToMode: oneOf(account["replyToMode"], ["off", "first", "all"]) ?? "off",
    responsePrefix: text(account["responsePrefix"]) ?? messages.responsePrefix,
    streaming: streamingOf(config, account),
    ...ack,
    removeAckAfterReply: messages.removeAckAfterReply,
    marksRead: account["sendReadReceipts"] !== false,
    typing: oneOf(session?.typingMode ?? agents?.defaults?.typingMode, ["never", "instant", "thinking", "message"]),
    typingEveryMs: everySeconds === undefined ? undefined : everySeconds * 1000,
    blocks: blocksOf(config, account),
    statusReactions: statusOf(config, ack.ackReaction),
  };
}

/** The account's own word, then that for all channels, then the agent's own sign. An account can also say where. */
function ackOf(
  config: ChelaConfig,
  { ackReaction: own }: Settings,
  agentId: string,
): Pick<ReplySettings, "ackReaction" | "ackIn"> {
  const messages = filledSection(messagesSection, config.messages);
  if (typeof own === "object" && own !== null) {
    const { emoji, direct, group } = own as Settings;
    const places = {
      direct: direct !== false,
      group: oneOf(group, ["always", "mentions", "never"]) ?? ("mentions" as const),
    };
    return { ackReaction: text(emoji) ?? "", ackIn: places };
  }
  const ackReaction = text(own) ?? messages.ackReaction ?? agentIdentity(config, agentId).emoji ?? DEFAULT_ACK;
  return {
    ackReaction,
    ackIn: ACK_PLACES[messages.ackReactionScope] ?? { direct: false, group: "never" },
  };
}

function blocksOf({ agents }: ChelaConfig, account: Settings): BlockStreaming {
  const written = agents?.defaults;
  const own = account["blockStreamingCoalesce"] as NonNullable<typeof written>["blockStreamingCoalesce"];
  const { blockStreamingChunk, blockStreamingCoalesce, blockStreamingBreak } = filled(agentDefaults(), {
    ...written,
    blockStreamingCoalesce: laidOver(written?.blockStreamingCoalesce, own),
  });
  const { minChars, breakPreference } = blockStreamingChunk;
  const maxChars = Math.max(minChars, blockStreamingChunk.maxChars);
  return {
    minChars,
    maxChars,
    prefer: breakPreference,
    breakAt: blockStreamingBreak,
    coalesce: {
      minChars: blockStreamingCoalesce.minChars ?? minChars,
      maxChars: blockStreamingCoalesce.maxChars ?? maxChars,
      idleMs: Math.min(blockStreamingCoalesce.idleMs, LONGEST_IDLE_MS),
    },
  };
}

function statusOf({ messages }: ChelaConfig, queued: string): StatusReactions | undefined {
  const { enabled, emojis, timing } = filledSection(messagesSection, messages).statusReactions;
  return enabled ? { emojis: { queued: queued || DEFAULT_ACK, ...emojis }, ...timing } : undefined;
}

/** Ways to show a growing answer; Slack's older words among them. */
const PARTIAL: ReadonlySet<string> = new Set(["partial", "progress", "replace", "status_final", "append"]);

/** Older files say `streamMode`, or only yes or no. */
function streamingOf({ agents }: ChelaConfig, account: Settings): ReplySettings["streaming"] {
  const written = account["streaming"] ?? account["streamMode"];
  if (written === true || PARTIAL.has(String(written))) return "partial";
  if (written === "block" || account["blockStreaming"] === true) return "block";
  if (written === undefined && account["blockStreaming"] === undefined) {
    return agents?.defaults?.blockStreamingDefault === "on" ? "block" : "off";
  }
  return "off";
}

export function agentIdentity(
  config: ChelaConfig,
  agentId: string,
): { readonly name?: string; readonly emoji?: string } {
  const own = writtenAgent(config, agentId);
  const name = own?.identity?.name ?? own?.name;
  return { ...(name ? { name } : {}), ...(own?.identity?.emoji ? { emoji: own.identity.emoji } : {}) };
}

export interface ConcurrencyLimits {
  readonly total: number;
  readonly cron: number;
  readonly subagent: number;
}

export function concurrencyLimits(config: ChelaConfig): ConcurrencyLimits {
  const { maxConcurrent, subagents } = filled(agentDefaults(), config.agents?.defaults);
  return { total: maxConcurrent, cron: config.cron?.maxConcurrentRuns ?? 1, subagent: subagents.maxConcurrent };
}

/** How long the first message waits for more. */
export function firstWaitMs({ messages }: ChelaConfig, channel: string): number {
  const { byChannel, debounceMs } = filledSection(messagesSection, messages).inbound;
  return byChannel?.[channel] ?? debounceMs;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function oneOf<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}

/** How many of the things that were said in a group, but not to us, are told with the next message. */
export function historyLimit(config: ChelaConfig, account: Settings, agentId: string): number {
  const own = account["historyLimit"];
  if (typeof own === "number") return own;
  const ofAgent = writtenAgent(config, agentId)?.groupChat?.historyLimit;
  return ofAgent ?? filledSection(messagesSection, config.messages).groupChat.historyLimit;
}
