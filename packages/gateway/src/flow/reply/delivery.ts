// Types of an answer's rows in the outbox, and of what the model asked for besides its words.
import type { OutboxItem, RunOutcome } from "@chela/sdk";

export type NewDelivery = Omit<OutboxItem, "attempts" | "state">;

/** The row of what the gateway itself says to a message that had no turn, such as /stop. */
export function ownReplyId(runId: string): string {
  return `${runId}:reply`;
}

/** What the model asked for besides its words. */
export interface ReplyWishes {
  /** `reply_to_current`, `reply_to:<id>`, `audio_as_voice`. */
  readonly directives: readonly string[];
  /** Handles of files that a tool attached. */
  readonly media: readonly string[];
}

export interface FinishedReply extends ReplyWishes {
  readonly outcome: RunOutcome;
  readonly model?: { readonly provider: string; readonly id: string };
  readonly thinking?: string;
  readonly at: number;
}
