// Says in one sentence why a message was answered, or why it was not.
import type { Telling } from "./step-words.ts";
import type { Verdict } from "./verdict.ts";

export function verdictWords(verdict: Verdict, { words, format, channel }: Telling): string {
  switch (verdict.kind) {
    case "queued":
    case "running":
      return words[`why_${verdict.kind}`](format.duration(verdict.sinceMs));
    case "approval":
      return words.why_approval(verdict.tool);
    case "command":
      return words.why_command(format.duration(verdict.tookMs));
    case "pending":
      return words.why_pending(channel(verdict.channel));
    case "undelivered":
      return words.why_undelivered(channel(verdict.channel), verdict.error);
    case "error":
      return verdict.error ? words.why_error(verdict.error) : words.why_errorOnly;
    case "answered": {
      const time = format.duration(verdict.tookMs);
      const { model, deliveredTo } = verdict;
      if (!model) return words.why_answeredOnly(time);
      return deliveredTo ? words.why_delivered(time, model, channel(deliveredTo)) : words.why_answered(time, model);
    }
    default:
      return words[`why_${verdict.kind}`];
  }
}
