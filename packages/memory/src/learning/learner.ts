// Takes in what was said, entry by entry: into the episode it belongs to, and the facts it tells into their table.
import { integer, jsonMembers, number, readable, rowReader, text } from "@chela/sdk/rows";
import type { FedEntry, FeedMark } from "../messages.ts";
import type { Store } from "../index/store/store.ts";
import type { DayOfTime } from "./rules/days.ts";
import { addToEpisode, SILENCE_MS, type OpenEpisode } from "./episode.ts";
import type { EpisodeTable } from "./tables/episode-table.ts";
import type { FactTable } from "./tables/fact-table.ts";
import { keyOf, makeId } from "./tables/keys.ts";
import { isEntryForgotten, readEntry } from "./read-entry.ts";
import { BEGINNING, MARK_KEY, type LearningMark } from "./tables/schema.ts";
import { gistOf, topicsOf } from "./summary.ts";
import { factKey } from "./forgotten-said.ts";
import { putBack } from "./read-by-model.ts";
import type { ReadTable } from "./tables/read-table.ts";
import type { Tombstones } from "./tables/tombstones.ts";

export interface LearnerParts {
  readonly store: Store;
  readonly agentId: string;
  readonly facts: FactTable;
  readonly episodes: EpisodeTable;
  readonly reads: ReadTable;
  readonly tombstones: Tombstones;
  readonly dayOfTime: DayOfTime;
}

const TOPIC_TRUST = 0.3;
const TRUST_PER_MENTION = 0.1;
const MOST_TOPIC_TRUST = 0.9;

const readMarkText = rowReader(
  { table: "meta", named: "key" },
  {
    mark: jsonMembers("value", {
      seq: integer("seq"),
      entryId: text("entryId"),
      entries: integer("entries"),
      newestAt: number("newestAt"),
    }),
  },
);

export function readMark(store: Store): LearningMark {
  const known = store.meta(MARK_KEY);
  return known === undefined
    ? BEGINNING
    : (readable([{ key: MARK_KEY, value: known }], readMarkText)[0]?.mark ?? BEGINNING);
}

/** Part of the caller's transaction. */
export function learnEntries(parts: LearnerParts, entries: readonly FedEntry[], mark: FeedMark): void {
  const { store, episodes } = parts;
  let { seq: from, entries: count, newestAt } = readMark(store);
  const open = new Map<string, OpenEpisode | undefined>();
  for (const entry of entries) {
    if (entry.seq <= from) continue;
    from = entry.seq;
    count += 1;
    if (!isEntryForgotten(parts, entry)) {
      if (!open.has(entry.sessionKey)) open.set(entry.sessionKey, episodes.openOf(entry.sessionKey));
      open.set(entry.sessionKey, takeIn(parts, entry, open.get(entry.sessionKey), newestAt));
    }
    newestAt = Math.max(newestAt, entry.at);
  }
  for (const [sessionKey, episode] of open) {
    if (!episode) continue;
    writeEpisode(parts, sessionKey, episode, true);
    episodes.keepOpen(sessionKey, episode);
  }
  episodes.closeSilent(newestAt - SILENCE_MS);
  store.setMeta(MARK_KEY, JSON.stringify({ ...mark, entries: count, newestAt } satisfies LearningMark));
}

/** The episode that goes on after it. */
function takeIn(parts: LearnerParts, entry: FedEntry, before: OpenEpisode | undefined, newestAt: number): OpenEpisode {
  const { agentId, facts } = parts;
  const { sessionKey, sessionId } = entry;
  const sentences = readEntry(parts, entry);
  const gist = gistOf(entry, sentences, entry.person === undefined ? undefined : keyOf(entry.person));
  const { open, closed } = addToEpisode(before, gist, {
    sessionId,
    newestAt,
    makeId: (id, entryId) => makeId(agentId, sessionKey, id, entryId),
  });
  if (closed) {
    writeEpisode(parts, sessionKey, closed, false);
    facts.moveTo(open.id, { episodeId: closed.id, seq: open.startSeq });
  }
  for (const { facts: drawn, position, said } of sentences) {
    for (const fact of drawn) facts.add(fact, { entry, episodeId: open.id, position, said, by: "rules" });
  }
  putBack(parts, entry, sentences, open.id);
  return open;
}

/** Its topics are written anew with it. */
function writeEpisode(parts: LearnerParts, sessionKey: string, episode: OpenEpisode, isOpen: boolean): void {
  const { facts, episodes, tombstones } = parts;
  const whole = episodes.write(sessionKey, episode, isOpen);
  facts.remove(facts.topicsOf(episode.id));
  const { sessionId, startEntryId: entryId, startSeq: seq, startAt: at } = whole;
  for (const { topic, mentions } of topicsOf(whole)) {
    const fact = {
      kind: "topic",
      slot: "topic",
      value: topic,
      about: { kind: "thing", subject: topic },
      confidence: Math.min(MOST_TOPIC_TRUST, Math.round((TOPIC_TRUST + mentions * TRUST_PER_MENTION) * 100) / 100),
    } as const;
    if (tombstones.isMentioned(topic, at) || tombstones.holds("fact", factKey(fact, topic), at)) continue;
    const said = whole.tellings.find(({ text }) => text.toLowerCase().includes(topic))?.text ?? `About ${topic}`;
    const entry = { sessionKey, sessionId, entryId, seq, at, role: "user", isOwner: false } as const;
    facts.add(fact, { entry, episodeId: whole.id, position: -1, said, by: "rules" });
  }
}
