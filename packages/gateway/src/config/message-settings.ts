// What the configuration says about messages on their way in and out: queues, previews, prefixes, signs of life. Pure.
import type { ChelaConfig } from "./schema/sections.ts";
import { DEFAULTS } from "./default-values.ts";
import { writtenAgent } from "./defaults.ts";

/** How an answer looks on a channel. */
export interface ReplySettings {
  readonly textChunkLimit: number | undefined;
  readonly chunkMode: "length" | "newline";
  readonly replyToMode: "off" | "first" | "all";
  readonly responsePrefix: string | undefined;
  /** Whether the answer is shown while it is being written. */
  readonly streaming: "off" | "partial" | "block";
  readonly ackReaction: string | undefined;
  readonly ackScope: "group-mentions" | "group-all" | "direct" | "all" | "off";
  readonly removeAckAfterReply: boolean;
  readonly typing: "never" | "instant" | "thinking" | "message";
}

type Settings = Readonly<Record<string, unknown>>;

export function replySettings(config: ChelaConfig, account: Settings): ReplySettings {
  const { messages, session, agents } = config;
  const limit = account["textChunkLimit"];
  return {
    textChunkLimit: typeof limit === "number" ? limit : undefined,
    chunkMode: account["chunkMode"] === "newline" ? "newline" : "length",
    replyToMode: oneOf(account["replyToMode"], ["off", "first", "all"]) ?? "off",
    responsePrefix: text(account["responsePrefix"]) ?? messages?.responsePrefix,
    streaming: streamingOf(config, account),
    ackReaction: text(account["ackReaction"]) ?? messages?.ackReaction,
    ackScope:
      oneOf(messages?.ackReactionScope, ["group-mentions", "group-all", "direct", "all", "off"]) ?? "group-mentions",
    removeAckAfterReply: messages?.removeAckAfterReply ?? false,
    typing:
      oneOf(session?.typingMode ?? agents?.defaults?.typingMode, ["never", "instant", "thinking", "message"]) ??
      "instant",
  };
}

/** Older files say `streamMode`, or only yes or no. */
function streamingOf({ agents }: ChelaConfig, account: Settings): ReplySettings["streaming"] {
  const written = account["streaming"] ?? account["streamMode"];
  if (written === true || written === "partial" || written === "progress") return "partial";
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
  return {
    total: config.agents?.defaults?.maxConcurrent ?? DEFAULTS["agents.defaults.maxConcurrent"],
    cron: config.cron?.maxConcurrentRuns ?? 1,
    subagent: config.agents?.defaults?.subagents?.maxConcurrent ?? 8,
  };
}

/** How long the first message waits for more. */
export function firstWaitMs({ messages }: ChelaConfig, channel: string): number {
  return messages?.inbound?.byChannel?.[channel] ?? messages?.inbound?.debounceMs ?? 0;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function oneOf<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}
