// Types of the gate that tool calls pass: its parts, and how a call can end.
import type {
  Clock,
  ErrorCode,
  Logger,
  ModelTool,
  SandboxView,
  Tool,
  ToolContext,
  ToolOutput,
  ToolResultMessage,
} from "@chela/sdk";
import type { LoopWatch } from "../loop-detection/loop-watch.ts";
import type { PolicyLayer, PolicyStep } from "../policy/judge.ts";

/** Which part of the gate kept a call from running, or ended it. */
export type DecidedBy = PolicyLayer | "loop" | "arguments" | "hook" | "sandbox" | "stopped";

export type Ending =
  | { readonly kind: "output"; readonly output: ToolOutput }
  /** What it threw, as it was thrown. */
  | { readonly kind: "failed"; readonly error: unknown }
  | {
      readonly kind: "refused";
      readonly decidedBy: DecidedBy;
      readonly code: ErrorCode;
      /** Written for the model. */
      readonly detail: string;
    };

/** Asked before a tool runs, with its checked arguments; one denial is enough. Throwing is a denial. */
export type BeforeRun = (
  tool: Tool,
  args: unknown,
  context: ToolContext,
) => Promise<
  /** With other arguments, where somebody changed them; they are checked again. */
  { readonly kind: "allow"; readonly args?: unknown } | { readonly kind: "deny"; readonly why: string }
>;

/** Told of a call that ran, with what came of it. */
export type AfterRun = (
  call: { readonly name: string; readonly args: unknown; readonly durationMs: number },
  result: ToolResultMessage,
  context: ToolContext,
) => void;

/** Where the tools of a conversation run. */
export interface ToolSandbox {
  /** Undefined when it needs no sandbox. Throws when it needs one that cannot be had. */
  enter(subject: Pick<ToolContext, "agentId" | "sessionKey" | "requester">): Promise<SandboxView | undefined>;
}

/** Absolute paths of the notes that whoever is behind a call may not see. */
export type ClosedNotes = (call: Pick<ToolContext, "agentId" | "sessionKey" | "requester">) => readonly string[];

export interface ToolLimits {
  /** Characters of one result; less for models with a small window. */
  readonly maxResultChars: number;
  readonly maxCallsPerTurn: number;
  /** How long a tool may take to let go of a stopped turn. */
  readonly letGoMs: number;
}

/** What became of one call, for those who explain a turn afterwards. */
export interface ToolRun {
  readonly name: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isError: boolean;
  readonly decidedBy?: DecidedBy;
  /** The tool failed in a way nobody foresaw; the log has more. */
  readonly isUnforeseen?: true;
}

export interface Gate {
  /** The tool of that name, whoever may use it. */
  find(name: string): Tool | undefined;
  /** Names of the tools that may be used. */
  allowedNames(): readonly string[];
  /** The layer that keeps the tool from being used right now. */
  removal(tool: Tool): PolicyStep | undefined;
  describe(tool: Tool): ModelTool;
  readonly sandboxed: boolean;
  readonly sandbox: ToolSandbox | undefined;
  readonly beforeRun: readonly BeforeRun[];
  readonly afterRun: AfterRun | undefined;
  readonly closedNotes: ClosedNotes | undefined;
  readonly watch: LoopWatch;
  readonly limits: ToolLimits;
  /** Takes secrets that the gateway knows out of a text. */
  redact(text: string): string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onRun: ((run: ToolRun) => void) | undefined;
}

export function refuse(decidedBy: DecidedBy, code: ErrorCode, detail: string): Extract<Ending, { kind: "refused" }> {
  return { kind: "refused", decidedBy, code, detail };
}
