// Settings of the context: how old results are pruned, when a conversation is compacted.
import { readDuration } from "../../../base/text/read-duration.ts";

export interface ContextConfigView {
  readonly agents?:
    | {
        readonly defaults?:
          | {
              readonly contextTokens?: number | undefined;
              readonly contextPruning?: PruningView | undefined;
              readonly compaction?: CompactionView | undefined;
            }
          | undefined;
      }
    | undefined;
}

interface PruningView {
  readonly mode?: "off" | "cache-ttl" | undefined;
  readonly ttl?: string | undefined;
  readonly keepLastAssistants?: number | undefined;
  readonly softTrimRatio?: number | undefined;
  readonly hardClearRatio?: number | undefined;
  readonly minPrunableToolChars?: number | undefined;
  readonly tools?:
    | { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined }
    | undefined;
  readonly softTrim?:
    | {
        readonly maxChars?: number | undefined;
        readonly headChars?: number | undefined;
        readonly tailChars?: number | undefined;
      }
    | undefined;
  readonly hardClear?:
    | { readonly enabled?: boolean | undefined; readonly placeholder?: string | undefined }
    | undefined;
}

interface CompactionView {
  readonly mode?: "default" | "safeguard" | undefined;
  readonly reserveTokens?: number | undefined;
  readonly keepRecentTokens?: number | undefined;
  readonly reserveTokensFloor?: number | undefined;
  readonly maxHistoryShare?: number | undefined;
  readonly memoryFlush?:
    | {
        readonly enabled?: boolean | undefined;
        readonly softThresholdTokens?: number | undefined;
        readonly prompt?: string | undefined;
        readonly systemPrompt?: string | undefined;
      }
    | undefined;
}

export interface PruningSettings {
  readonly mode: "off" | "cache-ttl";
  readonly ttlMs: number;
  readonly keepLastAssistants: number;
  readonly softTrimRatio: number;
  readonly hardClearRatio: number;
  readonly minPrunableToolChars: number;
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly softTrim: { readonly maxChars: number; readonly headChars: number; readonly tailChars: number };
  readonly hardClear: { readonly enabled: boolean; readonly placeholder: string };
}

export interface CompactionSettings {
  readonly mode: "default" | "safeguard";
  readonly reserveTokens: number;
  readonly reserveTokensFloor: number;
  readonly keepRecentTokens: number;
  readonly maxHistoryShare: number;
}

export interface MemoryFlushSettings {
  readonly enabled: boolean;
  readonly softThresholdTokens: number;
  readonly prompt?: string;
  readonly systemPrompt?: string;
}

export interface ContextSettings {
  /** Only where somebody limits it: otherwise the model's own window counts. */
  readonly contextTokens?: number;
  readonly pruning: PruningSettings;
  readonly compaction: CompactionSettings;
  readonly memoryFlush: MemoryFlushSettings;
}

/** Anthropic charges for keeping a prompt in its cache: with its credentials pruning is on unless told otherwise. */
export function contextSettings(
  config: ContextConfigView,
  credentials: { readonly anthropic: boolean } = { anthropic: false },
): ContextSettings {
  const written = config.agents?.defaults;
  return {
    ...(written?.contextTokens === undefined ? {} : { contextTokens: written.contextTokens }),
    pruning: pruningSettings(written?.contextPruning ?? {}, credentials.anthropic),
    compaction: compactionSettings(written?.compaction ?? {}),
    memoryFlush: memoryFlushSettings(written?.compaction?.memoryFlush ?? {}),
  };
}

/** How many tokens the conversation with this model may have. */
export function contextWindow(settings: ContextSettings, model: { readonly contextWindow: number }): number {
  return Math.min(settings.contextTokens ?? Infinity, model.contextWindow);
}

function pruningSettings(written: PruningView, byDefault: boolean): PruningSettings {
  return {
    mode: written.mode ?? (byDefault ? "cache-ttl" : "off"),
    ttlMs: readDuration(written.ttl, "m") ?? (byDefault ? 3_600_000 : 300_000),
    keepLastAssistants: written.keepLastAssistants ?? 3,
    softTrimRatio: written.softTrimRatio ?? 0.3,
    hardClearRatio: written.hardClearRatio ?? 0.5,
    minPrunableToolChars: written.minPrunableToolChars ?? 50_000,
    tools: { allow: written.tools?.allow ?? [], deny: written.tools?.deny ?? [] },
    softTrim: {
      maxChars: written.softTrim?.maxChars ?? 4000,
      headChars: written.softTrim?.headChars ?? 1500,
      tailChars: written.softTrim?.tailChars ?? 1500,
    },
    hardClear: {
      enabled: written.hardClear?.enabled ?? true,
      placeholder: written.hardClear?.placeholder ?? "[Old tool result content cleared]",
    },
  };
}

function compactionSettings(written: CompactionView): CompactionSettings {
  return {
    mode: written.mode ?? "safeguard",
    reserveTokens: written.reserveTokens ?? 16_384,
    reserveTokensFloor: written.reserveTokensFloor ?? 20_000,
    keepRecentTokens: written.keepRecentTokens ?? 20_000,
    maxHistoryShare: written.maxHistoryShare ?? 0.5,
  };
}

function memoryFlushSettings(written: NonNullable<CompactionView["memoryFlush"]>): MemoryFlushSettings {
  const prompt = written.prompt?.trim();
  const systemPrompt = written.systemPrompt?.trim();
  return {
    enabled: written.enabled ?? true,
    softThresholdTokens: written.softThresholdTokens ?? 4000,
    ...(prompt ? { prompt } : {}),
    ...(systemPrompt ? { systemPrompt } : {}),
  };
}
