// Summary of an entry or episode: the sentences that tell most, and the topics that come up again and again.
import { defined } from "@chela/sdk/base";
import type { FedEntry } from "../messages.ts";
import type { Gist, OpenEpisode, Telling } from "./episode.ts";
import { keyOf, shortId } from "./tables/keys.ts";
import type { ReadSentence } from "./rules/read-said.ts";
import { topicWords } from "./rules/topic-words.ts";

const TELLINGS_OF_ENTRY = 2;
const SHORTEST_TELLING = 15;
const LONGEST_SUMMARY = 300;
const MOST_TOPICS = 5;
const LEAST_MENTIONS = 3;
/** A pair of words says more than one. */
const PAIR_WEIGHT = 1.5;

export interface Topic {
  readonly topic: string;
  readonly mentions: number;
}

export function gistOf(entry: FedEntry, sentences: readonly ReadSentence[], person: string | undefined): Gist {
  const { entryId, seq, at, role, text, isOwner } = entry;
  const tellings = sentences
    .filter(({ said }) => said.length >= SHORTEST_TELLING)
    .map((sentence): Telling => ({
      entryId,
      seq,
      position: sentence.position,
      score: weigh(sentence, role),
      text: sentence.said,
      ...defined({ person }),
    }))
    .toSorted((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, TELLINGS_OF_ENTRY);
  const lines = sentences.map(({ plain }) => ({ key: shortId(keyOf(plain)), words: topicWords(plain) }));
  const gist = { entryId, seq, at, role, chars: text.length, lines, tellings, isOwner };
  return person === undefined ? gist : { ...gist, person };
}

/** Facts say most, then names and numbers; questions and what the agent says say less. */
function weigh({ said, plain, facts }: ReadSentence, role: FedEntry["role"]): number {
  const surest = facts.reduce((most, { confidence }) => Math.max(most, confidence), 0);
  const words = Math.min(plain.split(" ").length, 14);
  const names = Math.min(plain.match(/(?<=\p{Ll} )\p{Lu}\p{Ll}+|\d+/gu)?.length ?? 0, 3);
  const score = surest * 2 + words * 0.06 + names * 0.15 - (said.endsWith("?") ? 0.4 : 0);
  return Math.round(score * (role === "user" ? 1 : 0.7) * 1000) / 1000;
}

/** In the order they were said in. */
export function summarise(tellings: readonly Telling[]): string {
  const chosen: Telling[] = [];
  let chars = 0;
  for (const telling of tellings) {
    if (chosen.length > 0 && chars + telling.text.length + 1 > LONGEST_SUMMARY) continue;
    chosen.push(telling);
    chars += telling.text.length + 1;
  }
  return chosen
    .toSorted((a, b) => a.seq - b.seq || a.position - b.position)
    .map(({ text }) => text)
    .join(" ");
}

/** The most mentioned first. A word that is only ever part of a pair is not named again. */
export function topicsOf({ counts }: Pick<OpenEpisode, "counts">): Topic[] {
  const ranked = Object.entries(counts)
    .filter(([, mentions]) => mentions >= LEAST_MENTIONS)
    .map(([topic, mentions]) => ({ topic, mentions, weight: mentions * (topic.includes(" ") ? PAIR_WEIGHT : 1) }))
    .toSorted((a, b) => b.weight - a.weight || (a.topic < b.topic ? -1 : 1));
  const chosen: Topic[] = [];
  for (const { topic, mentions } of ranked) {
    if (chosen.length === MOST_TOPICS) break;
    const isPart = chosen.some((one) => one.topic.split(" ").some((word) => topic.split(" ").includes(word)));
    if (!isPart) chosen.push({ topic, mentions });
  }
  return chosen;
}
