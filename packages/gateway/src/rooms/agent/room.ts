// The agent room owns how a model is asked: the loop, the prompt, and what of a conversation fits into it.
export { compact, type CompactionOutcome } from "./context/compact.ts";
export { createTokenCounter, type RequestSizes, type TokenCounter } from "./context/count-tokens.ts";
export { fitContext } from "./context/fit-context.ts";
export { memoryFlushPrompts } from "./context/memory-flush.ts";
export { planCompaction, type CompactionPlan, type ContextEntry } from "./context/plan-compaction.ts";
export { createPruningState, pruneContext, type PruningState } from "./context/prune-context.ts";
export { postCompactionRefresh } from "./context/refresh-text.ts";
export { contextSettings, contextWindow, type ContextSettings } from "./context/settings.ts";
export { shrinkOversizedResults } from "./context/shrink-results.ts";
export type { Complete, Completion } from "./context/summarise.ts";
export { needsCompaction, needsMemoryFlush, reserveTokensFor } from "./context/thresholds.ts";
export { runLoop, type LoopEvent, type LoopOutcome, type LoopParts } from "./loop.ts";
export { systemPrompt } from "./prompt.ts";
export { projectSection } from "./prompt/sections.ts";
export type { PromptFile, PromptParts, PromptSandbox } from "./prompt/parts.ts";
export { inboundBlocks, type InboundMeta } from "./prompt/inbound-blocks.ts";
