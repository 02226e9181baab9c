// The seam for tools: what an agent may do besides talking.
import type * as z from "zod";
import type { ImageBlock, TextBlock } from "../messages.ts";
import type { ModelInfo } from "../model.ts";
import type { Requester } from "../requester.ts";
import type { SandboxView } from "../sandbox.ts";

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

/** Which tools a conversation has by a name that stands for a set of them; `full` is all. */
export const TOOL_PROFILES = ["minimal", "coding", "messaging", "full"] as const;
export type ToolProfile = (typeof TOOL_PROFILES)[number];

/** What lists of tools are made from: `group:<family>`, profiles, and what holds where nothing is configured. */
export interface ToolTraits {
  readonly name: string;
  readonly family: ToolFamily;
  /** The profiles it belongs to, besides `full`. */
  readonly profiles?: readonly Exclude<ToolProfile, "full">[];
  /** For conversations kept in a sandbox. A tool that says nothing is neither allowed nor denied there by name. */
  readonly inSandbox?: "allowed" | "denied";
  /** Sub-agents do not have it: none of them, or those that may start none of their own. */
  readonly notForSubagents?: "all" | "last";
  /** Guests do not have it, though others of its family are for them. */
  readonly notForGuests?: true;
  /** Offered to owners only, whatever a policy allows. */
  readonly ownerOnly?: true;
  /** Its place in the order in which models are told of tools; those without one follow by name. */
  readonly told?: number;
}

/**
 * A tool may throw: whatever it throws becomes an error result written for the model.
 * Arguments reach `run` only after they passed `parameters`.
 */
export interface Tool<S extends z.ZodType = z.ZodType> extends ToolTraits {
  readonly label: string;
  /** For the model. Every byte is paid for with every message: one or two plain sentences. */
  readonly description: string;
  readonly effects: readonly ToolEffect[];
  /** What this very call does, where that is less than the tool can do. Arguments come as the model wrote them. */
  effectsOf?(args: Readonly<Record<string, unknown>>): readonly ToolEffect[];
  /** Keeps to `context.sandbox`. A tool that touches the machine and does not is never run for a sandboxed conversation. */
  readonly keepsToSandbox?: true;
  readonly parameters: () => S;
  /** Why this tool cannot be offered here and now, such as a missing key; undefined when it can. */
  unavailable?(subject: {
    readonly agentId: string;
    readonly sessionKey: string;
    readonly model: ModelInfo;
  }): string | undefined;
  /** A word for what `unavailable` goes by besides the configuration, the agent, the conversation and the model: it is asked again when this changes. */
  circumstances?(): string;
  run(args: z.output<S>, context: ToolContext): Promise<ToolOutput>;
}
