// Outcome of a heartbeat, in words.
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import { entryOf } from "../../state/entry-of.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";

export type AutomationWords = InOtherWords<Sections["automation"]>;
export type Tone = "good" | "info" | "bad" | "";

/** A failure tells its reason as a sentence of its own; a skip tells it as one word of the protocol. */
export function beatWords({ status, reason }: HeartbeatEvent, words: AutomationWords): string {
  if (status === "ok-token" || status === "ok-empty") return words.beat_ok;
  const what = { sent: words.beat_sent, skipped: words.beat_skipped, failed: words.beat_failed }[status];
  return reason ? words.withReason(what, reasonWords(reason, words)) : what;
}

export function beatTone({ status }: HeartbeatEvent): Tone {
  const tones = { sent: "info", "ok-token": "good", "ok-empty": "good", skipped: "", failed: "bad" } as const;
  return tones[status];
}

function reasonWords(reason: string, words: AutomationWords): string {
  return entryOf(words as unknown as Readonly<Record<string, string>>, `reason_${reason}`) ?? reason;
}
