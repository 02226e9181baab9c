// Events of a turn while it runs. One closed list, read by the server, the log and the command line alike.
import type { InboxMessage, ModelInfo, RunOutcome, ToolCallBlock, ToolResultMessage } from "@chela/sdk";

interface OfRun {
  readonly runId: string;
  readonly sessionKey: string;
}

export type TurnEvent = OfRun &
  (
    | {
        readonly kind: "turn-started";
        readonly startedAt: number;
        readonly model: ModelInfo;
        readonly message: InboxMessage;
        /** Runs whose messages are answered together with this one. */
        readonly alsoAnswers: readonly string[];
      }
    /** A command is answered; there is no model in it. */
    | { readonly kind: "command-started" }
    /** A new assistant message begins. */
    | { readonly kind: "step-started" }
    /** Meant for people: nothing internal is in it. */
    | { readonly kind: "text"; readonly delta: string }
    | { readonly kind: "thinking"; readonly delta: string }
    | { readonly kind: "tool-started"; readonly call: ToolCallBlock }
    | {
        readonly kind: "tool-updated";
        readonly call: ToolCallBlock;
        readonly partial: string;
        readonly details?: unknown;
      }
    | { readonly kind: "tool-ended"; readonly call: ToolCallBlock; readonly result: ToolResultMessage }
    | { readonly kind: "compaction-started" }
    | { readonly kind: "compaction-ended"; readonly wasCompacted: boolean }
    /** The outcome is committed. */
    | {
        readonly kind: "turn-ended";
        readonly startedAt?: number;
        readonly endedAt: number;
        readonly outcome: RunOutcome;
        /** A delivery of the answer follows. */
        readonly hasReply: boolean;
      }
  );
