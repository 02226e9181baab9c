// The agent room owns how a model is asked: the loop, the prompt, and what of a conversation fits into it.
export { compact, type CompactionOptions, type CompactionOutcome } from "./context/compact.ts";
export {
  createTokenCounter,
  type CountedModel,
  type CountedRequest,
  type CountMessage,
  type RequestSizes,
  type TokenCounter,
} from "./context/count-tokens.ts";
export { fitContext, type ContextWindow } from "./context/fit-context.ts";
export { memoryFlushPrompts, type MemoryFlushPrompts } from "./context/memory-flush.ts";
export { planCompaction, type CompactionPlan, type ContextEntry, type PlanLimits } from "./context/plan-compaction.ts";
export { createPruningState, pruneContext, type PruningMoment, type PruningState } from "./context/prune-context.ts";
export { postCompactionRefresh } from "./context/refresh-text.ts";
export {
  contextSettings,
  contextWindow,
  type CompactionSettings,
  type ContextConfigView,
  type ContextSettings,
  type MemoryFlushSettings,
  type PruningSettings,
} from "./context/settings.ts";
export { shrinkOversizedResults, type ResultLimits } from "./context/shrink-results.ts";
export type { Complete, Completion } from "./context/summarise.ts";
export { needsCompaction, needsMemoryFlush, reserveTokensFor } from "./context/thresholds.ts";
export type { CompactionDetails } from "./context/touched-files.ts";
export { runLoop, type LoopEvent, type LoopOutcome, type LoopParts } from "./loop.ts";
export { systemPrompt } from "./prompt.ts";
export { projectSection } from "./prompt/sections.ts";
export type { PromptFile, PromptParts, PromptSandbox } from "./prompt/parts.ts";
export { inboundBlocks, type InboundMeta } from "./prompt/inbound-blocks.ts";
