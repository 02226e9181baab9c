// The seam for tools: what an agent may do besides talking.
import type * as z from "zod";
import type { ImageBlock, TextBlock } from "./messages.ts";

/** What a tool can do to the world; policy decides by these, never by name alone. */
export type ToolEffect = "read" | "write" | "exec" | "network" | "send";

export interface ToolContext {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Shows progress to clients that watch the run. */
  update(partial: string): void;
}

export interface ToolOutput {
  readonly content: ReadonlyArray<TextBlock | ImageBlock>;
  /** For clients and the transcript, never for the model. */
  readonly details?: unknown;
}

/**
 * A tool may throw: whatever it throws becomes an error result written for the model.
 * Arguments reach `run` only after they passed `parameters`.
 */
export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly effects: readonly ToolEffect[];
  readonly parameters: () => S;
  run(args: z.output<S>, context: ToolContext): Promise<ToolOutput>;
}
