// The seam for tools: what an agent may do besides talking.
import type * as z from "zod";
import type { ImageBlock, TextBlock } from "./messages.ts";
import type { ModelInfo } from "./model.ts";
import type { Requester } from "./requester.ts";
import type { SandboxView } from "./sandbox.ts";

/** What a tool can do to the world; policy decides by these, never by name alone. */
export type ToolEffect = "read" | "write" | "exec" | "network" | "send";

/** The families policies can name as `group:<family>`. */
export const TOOL_FAMILIES = [
  "fs",
  "runtime",
  "web",
  "memory",
  "sessions",
  "ui",
  "messaging",
  "automation",
  "nodes",
  "agents",
  "media",
] as const;
export type ToolFamily = (typeof TOOL_FAMILIES)[number];

export interface ToolContext {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly requester: Requester;
  /** Absolute path of the agent's workspace. */
  readonly workspace: string;
  /** Present when the conversation is sandboxed: commands run in it, and files are what it sees. */
  readonly sandbox?: SandboxView;
  /** Notes about people that whoever is behind the call may not see: nothing at or below these paths is touched. */
  readonly closedNotes?: readonly string[];
  /** The model that made the call. */
  readonly model: ModelInfo;
  /** The names of all tools its turn has; whoever acts for it later has no more. */
  readonly offered?: readonly string[];
  /** Aborts when the turn is stopped; a tool must let go of everything it holds within 100 ms. */
  readonly signal: AbortSignal;
  /** Shows progress to clients that watch the run. */
  update(partial: string, details?: unknown): void;
}

export interface ToolOutput {
  readonly content: ReadonlyArray<TextBlock | ImageBlock>;
  /** For clients and the transcript, never for the model. */
  readonly details?: unknown;
  /** The tool did its work and the work failed: the model sees the content as an error. */
  readonly isError?: boolean;
}

/**
 * A tool may throw: whatever it throws becomes an error result written for the model.
 * Arguments reach `run` only after they passed `parameters`.
 */
export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly label: string;
  /** For the model. Every byte is paid for with every message: one or two plain sentences. */
  readonly description: string;
  readonly family: ToolFamily;
  readonly effects: readonly ToolEffect[];
  /** What this very call does, where that is less than the tool can do. Arguments come as the model wrote them. */
  effectsOf?(args: Readonly<Record<string, unknown>>): readonly ToolEffect[];
  /** Keeps to `context.sandbox`. A tool that touches the machine and does not is never run for a sandboxed conversation. */
  readonly keepsToSandbox?: true;
  /** Offered to owners only, whatever a policy allows. */
  readonly ownerOnly?: true;
  readonly parameters: () => S;
  /** Why this tool cannot be offered here and now, such as a missing key; undefined when it can. */
  unavailable?(subject: { readonly agentId: string; readonly model: ModelInfo }): string | undefined;
  run(args: z.output<S>, context: ToolContext): Promise<ToolOutput>;
}
