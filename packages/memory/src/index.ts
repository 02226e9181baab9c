// Messages between the gateway and the memory keeper, and how vectors are asked for.
export type { EmbeddingPurpose } from "./embedder.ts";
export { toUnitLength } from "./embedding/unit-vector.ts";
export { READ_SLOTS, type ReadSlot } from "./learning/read-slots.ts";
export * from "./index/store/index-files.ts";
export type * from "./messages.ts";
