// The token counts of a chat completion, which servers write in several ways.
import type { TokenCounts } from "../usage.ts";

type Json = Readonly<Record<string, unknown>>;

export function readChatUsage(usage: unknown): TokenCounts {
  const all = asObject(usage);
  const promptDetails = asObject(all["prompt_tokens_details"]);
  const prompt = count(all["prompt_tokens"]);
  const completion = count(all["completion_tokens"]);
  const reasoning = count(asObject(all["completion_tokens_details"])["reasoning_tokens"]);
  const cacheRead =
    count(promptDetails["cached_tokens"]) || count(all["prompt_cache_hit_tokens"]) || count(all["cached_tokens"]);
  const cacheWrite = count(promptDetails["cache_write_tokens"]);
  // Some count the thinking apart, which the total then shows.
  const isApart = reasoning > 0 && count(all["total_tokens"]) === prompt + completion + reasoning;
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: isApart ? completion + reasoning : completion,
    cacheRead,
    cacheWrite,
  };
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
