// Reads an entry without what was forgotten: for facts, for others who keep what was said, and for a model.
import type { FedEntry } from "../messages.ts";
import type { DayOfTime } from "./rules/days.ts";
import { isForgotten } from "./forgotten-said.ts";
import { keyOf } from "./tables/keys.ts";
import { readSaid, type ReadSentence } from "./rules/read-said.ts";
import type { Tombstones } from "./tables/tombstones.ts";

export interface EntryParts {
  readonly tombstones: Tombstones;
  readonly dayOfTime: DayOfTime;
}

/** What is left of an entry for others to keep; undefined when nothing of it is to be known. */
export function withoutForgotten(parts: EntryParts, entry: FedEntry): FedEntry | undefined {
  if (parts.tombstones.isEmpty) return entry;
  if (isEntryForgotten(parts, entry)) return undefined;
  const { role, at, text } = entry;
  const sentences = readSaid(text, { role, saidOn: parts.dayOfTime(at) });
  const kept = sentences.filter((sentence) => !isForgotten(sentence, entry, parts.tombstones));
  const left = kept.length === sentences.length ? text : kept.map(({ said }) => said).join(" ");
  const unnamed = withoutNames(left, at, parts.tombstones);
  return unnamed === "" ? undefined : { ...entry, text: unnamed };
}

/** Quotations, code and very long sentences are not read for facts, but forgotten names stand in them, too. */
function withoutNames(text: string, at: number, tombstones: Tombstones): string {
  if (!tombstones.isMentioned(text, at)) return text;
  const left = text
    .split(/(?<=[.!?…]\s)|\n/)
    .filter((piece) => !tombstones.isMentioned(piece, at))
    .join(" ");
  // A name may have been on two lines.
  return tombstones.isMentioned(left, at) ? "" : left.trim();
}

/** Without what was forgotten, and without sentences that have something secret in them. */
export function readEntry({ tombstones, dayOfTime }: EntryParts, entry: FedEntry): ReadSentence[] {
  if (isEntryForgotten({ tombstones }, entry)) return [];
  const { role, at, text, heard } = entry;
  const sentences = readSaid(text, { role, saidOn: dayOfTime(at) }, heard);
  return sentences.filter((sentence) => !isForgotten(sentence, entry, tombstones));
}

export function isEntryForgotten(
  { tombstones }: Pick<EntryParts, "tombstones">,
  { sessionKey, person, at }: FedEntry,
): boolean {
  if (tombstones.holds("session", sessionKey, at)) return true;
  return person !== undefined && tombstones.holds("person", keyOf(person), at);
}
