// Makes the rows of the outbox for an answer, by whoever knows the channel. Committed together with the answer.
import type { OutboxItem, RunOutcome, RunRecord } from "@chela/sdk";
import type { MessageBody } from "../message-body.ts";

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

/** Writes the rows for one answer; none when nothing has to be sent. */
export type WriteReply = (
  record: RunRecord,
  body: MessageBody,
  reply: FinishedReply,
) => Promise<readonly NewDelivery[]>;
