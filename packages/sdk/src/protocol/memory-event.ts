// The `memory.progress` event: how far the index of an agent is, while it is being filled. Both are equal at its end.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";

/** Words first, so that everything can be found by them; then vectors; then what conversations teach. */
export const MEMORY_PHASES = ["text", "vectors", "learning"] as const;

export const MemoryProgress = once(() =>
  z.looseObject({ agentId: z.string(), phase: z.enum(MEMORY_PHASES), done: z.int(), of: z.int() }),
);
export type MemoryProgress = Parsed<typeof MemoryProgress>;
