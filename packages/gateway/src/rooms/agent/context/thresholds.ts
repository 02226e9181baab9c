// Thresholds of a conversation's length: the points at which notes are saved and it is compacted.
import type { CompactionSettings, MemoryFlushSettings } from "./settings.ts";

/** Below this window the usual reserve would leave hardly any room for the conversation. */
const SMALL_WINDOW = 80_000;

/** What is kept free in the window, for the next message and its answer. */
export function reserveTokensFor(
  settings: Pick<CompactionSettings, "reserveTokens" | "reserveTokensFloor">,
  window: number,
): number {
  const wanted = Math.max(settings.reserveTokens, settings.reserveTokensFloor);
  return Math.floor(Math.min(wanted, window < SMALL_WINDOW ? window / 4 : window / 2));
}

export function needsCompaction(use: {
  readonly contextTokens: number;
  readonly window: number;
  readonly reserveTokens: number;
}): boolean {
  return use.contextTokens > use.window - use.reserveTokens;
}

/** Shortly before a compaction, and once for each. `reserveTokens` is the one compaction is decided with. */
export function needsMemoryFlush(
  use: {
    readonly totalTokens: number | undefined;
    readonly window: number;
    readonly reserveTokens: number;
    readonly compactionCount: number | undefined;
    readonly memoryFlushCompactionCount: number | undefined;
  },
  { enabled, softThresholdTokens }: Pick<MemoryFlushSettings, "enabled" | "softThresholdTokens">,
): boolean {
  if (!enabled || !use.totalTokens) return false;
  // In a small window the threshold shrinks with it, so that a short conversation is not interrupted.
  const threshold = use.window - use.reserveTokens - Math.min(softThresholdTokens, use.window / 16);
  return use.totalTokens >= threshold && use.memoryFlushCompactionCount !== (use.compactionCount ?? 0);
}
