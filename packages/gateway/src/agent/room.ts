// The agent room owns how a model is asked: the loop, the prompt, and what of a conversation fits into it.
export { fitContext } from "./context-window.ts";
export { runLoop, type LoopEvent, type LoopOutcome, type LoopParts } from "./loop.ts";
export { systemPrompt } from "./prompt.ts";
