// Takes in what a model read in an episode, and puts it back when the same words are learned anew.
import type { FedEntry, KeeperCalls } from "../messages.ts";
import type { DayOfTime } from "./rules/days.ts";
import type { EpisodeTable } from "./tables/episode-table.ts";
import { speakerOf, type FactTable } from "./tables/fact-table.ts";
import { isForgotten } from "./forgotten-said.ts";
import { groundFact, namesIn, regroundFact, type GroundedFact } from "./rules/ground-fact.ts";
import { readEntry } from "./read-entry.ts";
import type { ReadSentence } from "./rules/read-said.ts";
import type { ReadTable } from "./tables/read-table.ts";
import type { Tombstones } from "./tables/tombstones.ts";

export interface ReadParts {
  readonly facts: FactTable;
  readonly episodes: EpisodeTable;
  readonly reads: ReadTable;
  readonly tombstones: Tombstones;
  readonly dayOfTime: DayOfTime;
}

export type ReadEpisode = Omit<KeeperCalls["keepRead"]["asks"], "agentId">;

/** Part of the caller's transaction. How many of the facts stand in what was said. */
export function keepRead(parts: ReadParts, { episode, entries, told }: ReadEpisode, learnedSeq: number): number {
  const { reads, episodes, dayOfTime } = parts;
  const read = entries
    .filter(({ isOwner, role }) => isOwner && role === "user")
    .map((entry) => ({ entry, sentences: readEntry(parts, entry) }));
  const isNamed = namesIn(read.flatMap(({ sentences }) => sentences.map(({ said }) => said)));
  const isLearned = episodes.rows("WHERE id = ?", episode.id).length > 0;
  let count = 0;
  for (const { entry, sentences } of read) {
    for (const one of told.filter(({ entryId }) => entryId === entry.entryId)) {
      const grounded = groundFact(one, { sentences, isNamed, saidOn: dayOfTime(entry.at) });
      if (!grounded || isHeldBack(grounded, entry, parts)) continue;
      count += 1;
      reads.keep(one, grounded.sentence.said, entry);
      // What is being learned anew right now gets it back with its entry, after what the rules draw from it.
      if (isLearned && entry.seq <= learnedSeq) addFact(parts, grounded, entry, episode.id);
    }
  }
  reads.markRead(episode);
  return count;
}

/** Part of the caller's transaction. What cannot be shown with its sentence any more is not kept either. */
export function putBack(
  parts: ReadParts,
  entry: FedEntry,
  sentences: readonly ReadSentence[],
  episodeId: string,
): void {
  if (!entry.isOwner) return;
  const saidOn = parts.dayOfTime(entry.at);
  for (const kept of parts.reads.of(entry)) {
    const grounded = regroundFact(kept, { sentences, saidOn });
    if (grounded && !isHeldBack(grounded, entry, parts)) addFact(parts, grounded, entry, episodeId);
    else parts.reads.forgetSentence({ ...kept, text: kept.said });
  }
}

/** What the rules drew from the same entry is theirs. */
function addFact({ facts }: ReadParts, { fact, sentence }: GroundedFact, entry: FedEntry, episodeId: string): void {
  const { position, said } = sentence;
  if (!facts.has(fact, entry)) facts.add(fact, { entry, episodeId, position, said, by: "model" });
}

function isHeldBack({ fact, sentence }: GroundedFact, entry: FedEntry, { tombstones }: ReadParts): boolean {
  const subject = fact.about.kind === "thing" ? fact.about.subject : speakerOf(entry);
  if (tombstones.isMentioned(`${subject} ${fact.value}`, entry.at)) return true;
  return isForgotten({ said: sentence.said, facts: [fact] }, entry, tombstones);
}
