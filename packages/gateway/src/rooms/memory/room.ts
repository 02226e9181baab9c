// The memory room owns what agents remember: their notes' index, what conversations taught, and the process that keeps both.
export { BLOCK_CHARS, Memory, type AgentMemoryStatus, type MemoryParts } from "./memory.ts";
export type { LearnedBlock } from "./learned-block.ts";
export type { ModelAnswer, ModelQuestion } from "./model-reading.ts";
export { removeIndexFiles } from "@chela/memory";
export { forgetAgent } from "./removed-agent.ts";
export type { MemorySettings } from "./settings.ts";
export type { EmbeddingChoice, FedEntry, Progress as MemoryProgress } from "@chela/memory";
export type { RemoteEmbedder } from "./embedders/remote-embedder.ts";
export { defaultRemoteModel, type RemoteProvider } from "./embedders/default-models.ts";

/** Services that make vectors; loaded when one is configured. */
export async function loadRemoteEmbedder() {
  return (await import("./embedders/remote-embedder.ts")).createRemoteEmbedder;
}
export { installedModel } from "./models/known-models.ts";
