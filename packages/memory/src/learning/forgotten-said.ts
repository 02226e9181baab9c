// Tells whether a sentence speaks of something that was forgotten: then nothing of it is learned.
import type { FedEntry } from "../messages.ts";
import type { DrawnFact } from "./rules/drawn-fact.ts";
import { speakerOf } from "./tables/fact-table.ts";
import { keyOf } from "./tables/keys.ts";
import type { ReadSentence } from "./rules/read-said.ts";
import type { Tombstones } from "./tables/tombstones.ts";

/** A fact wherever it was said: saying the same again is the same fact. */
export function factKey(fact: Pick<DrawnFact, "kind" | "slot" | "value">, subject: string): string {
  return [fact.kind, fact.slot, keyOf(subject), keyOf(fact.value)].join("\n");
}

export function isForgotten(
  { said, facts }: Pick<ReadSentence, "said" | "facts">,
  entry: Pick<FedEntry, "at" | "person" | "isOwner">,
  tombstones: Tombstones,
): boolean {
  if (tombstones.isMentioned(said, entry.at) || tombstones.holds("sentence", keyOf(said), entry.at)) return true;
  return facts.some((fact) => {
    const subject = fact.about.kind === "thing" ? fact.about.subject : speakerOf(entry);
    if (tombstones.holds("fact", factKey(fact, subject), entry.at)) return true;
    return tombstones.holds("subject", keyOf(subject), entry.at);
  });
}
