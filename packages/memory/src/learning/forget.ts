// Forgets a fact, a subject, a person or a session: facts, the sentences of summaries, words and vectors, and a tombstone
// so that learning anew does not bring it back.
import type { ForgetWish, Forgotten } from "../messages.ts";
import type { OpenEpisode, Telling } from "./episode.ts";
import type { EpisodeRow, EpisodeTable } from "./tables/episode-table.ts";
import type { FactRow, FactTable } from "./tables/fact-table.ts";
import { factKey } from "./forgotten-said.ts";
import { episodeItem, factItem, keyOf, readItem } from "./tables/keys.ts";
import type { LearnedVectors } from "./tables/learned-vectors.ts";
import type { KeptFact, ReadTable } from "./tables/read-table.ts";
import type { Tombstones } from "./tables/tombstones.ts";
import type { WordTable } from "./tables/word-table.ts";

export interface ForgetParts {
  readonly facts: FactTable;
  readonly episodes: EpisodeTable;
  readonly words: WordTable;
  readonly vectors: LearnedVectors;
  readonly reads: ReadTable;
  readonly tombstones: Tombstones;
  /** Until when it holds, at least the newest time of anything known: what is said later may teach again. */
  readonly newestAt: number;
}

type LearnedTables = Pick<ForgetParts, "facts" | "episodes" | "vectors" | "reads">;

const NOTHING: Forgotten = { facts: 0, episodes: 0, chunks: 0, vectors: 0, summaries: 0 };

/** Part of the caller's transaction. */
export function forget(parts: ForgetParts, what: ForgetWish): Forgotten {
  switch (what.kind) {
    case "session":
      return forgetSession(parts, what.sessionKey);
    case "fact":
      return forgetFact(parts, what.id);
    case "subject":
      return forgetName(parts, "subject", keyOf(what.subject));
    case "person":
      return forgetName(parts, "person", keyOf(what.person));
  }
}

function forgetSession(parts: ForgetParts, sessionKey: string): Forgotten {
  const { facts, episodes, reads, tombstones, newestAt } = parts;
  tombstones.bury("session", sessionKey, newestAt);
  reads.forgetSession(sessionKey);
  const gone = remove(parts, {
    facts: facts.rows("WHERE session_key = ?", sessionKey),
    episodes: episodes.rows("WHERE session_key = ?", sessionKey),
  });
  episodes.dropOpen(sessionKey);
  return gone;
}

/** All that was learned in one conversation. It leaves no tombstone: the next one of its session may teach again. */
export function takeOutConversation(parts: LearnedTables, sessionId: string): void {
  const { facts, episodes, reads } = parts;
  reads.forgetConversation(sessionId);
  const told = episodes.rows("WHERE session_id = ?", sessionId);
  remove(parts, { facts: facts.rows("WHERE session_id = ?", sessionId), episodes: told });
  for (const key of new Set(told.map(({ sessionKey }) => sessionKey))) {
    if (episodes.openOf(key)?.sessionId === sessionId) episodes.dropOpen(key);
  }
}

function remove(
  { facts, episodes, vectors }: LearnedTables,
  doomed: { readonly facts: readonly FactRow[]; readonly episodes: readonly EpisodeRow[] },
): Forgotten {
  const items = [
    ...doomed.facts.map(({ number }) => factItem(number)),
    ...doomed.episodes.map(({ number }) => episodeItem(number)),
  ];
  const gone = vectors.remove(items);
  facts.remove(doomed.facts);
  for (const { number } of doomed.episodes) episodes.remove(number);
  return { ...NOTHING, facts: doomed.facts.length, episodes: doomed.episodes.length, vectors: gone };
}

/** Wherever it was said, with everything else its sentences told: a fact cannot be shown without its sentence. */
function forgetFact(parts: ForgetParts, id: string): Forgotten {
  const [fact] = parts.facts.rows("WHERE id = ?", id);
  if (!fact) return NOTHING;
  const key = factKey(fact, fact.subject);
  parts.tombstones.bury("fact", key, parts.newestAt);
  const same = parts.facts
    .rows("WHERE subject_key = ? AND slot = ?", fact.subjectKey, fact.slot)
    .filter((row) => factKey(row, row.subject) === key);
  for (const { by, text } of same) if (by === "model") parts.tombstones.bury("sentence", keyOf(text), parts.newestAt);
  return forgetSentences(parts, same, []);
}

/** What is told of a name, every sentence it is mentioned in, and what a person of that name said. */
function forgetName(parts: ForgetParts, scope: "subject" | "person", name: string): Forgotten {
  if (name === "") return NOTHING;
  const { facts, episodes, words, reads, tombstones, newestAt } = parts;
  tombstones.bury(scope, name, newestAt);
  reads.forgetWhere((fact) => isKeptForgotten(fact, tombstones));
  const mentioned = words.mentions(name).map(readItem);
  const numbers = (kind: "fact" | "episode") =>
    mentioned.filter((one) => one.kind === kind).map(({ number }) => number);
  const doomed = [
    ...facts.rows("WHERE subject_key = ?", name),
    ...numbers("fact").flatMap((number) => facts.byNumber(number) ?? []),
    ...(scope === "person" ? facts.rows("WHERE person_key = ?", name) : []),
  ];
  const touched = [
    ...numbers("episode").flatMap((number) => episodes.byNumber(number) ?? []),
    ...(scope === "person" ? episodes.ofPerson(name) : []),
  ];
  return forgetSentences(parts, doomed, touched, scope === "person" ? name : undefined);
}

function forgetSentences(
  parts: ForgetParts,
  drawn: readonly FactRow[],
  mentioning: readonly EpisodeRow[],
  person?: string,
): Forgotten {
  const { facts, episodes, vectors } = parts;
  const places = new Set(drawn.map(placeOf));
  const doomed = byNumber([...drawn, ...drawn.flatMap((fact) => siblingsOf(facts, fact))]);
  const touched = byNumber([
    ...mentioning,
    ...new Set(doomed.map(({ episodeId }) => episodeId)).values().flatMap((id) => episodes.rows("WHERE id = ?", id)),
  ]);
  const isGone = (telling: Telling, sessionId: string) =>
    places.has(placeOf({ ...telling, sessionId })) ||
    (person !== undefined && telling.person === person) ||
    parts.tombstones.isMentioned(telling.text, parts.newestAt);
  for (const fact of doomed) parts.reads.forgetSentence(fact);
  let gone = vectors.remove(doomed.map(({ number }) => factItem(number)));
  let summaries = 0;
  for (const row of touched) {
    const left = row.tellings.filter((telling) => !isGone(telling, row.sessionId));
    reopen(parts, row.sessionKey, (telling) => !isGone(telling, row.sessionId), person);
    if (left.length === row.tellings.length) continue;
    gone += vectors.remove([episodeItem(row.number)]);
    episodes.retell(row, left);
    summaries += 1;
  }
  if (person !== undefined) episodes.leaveOut(person);
  const topics = touched.flatMap(({ id }) => facts.topicsOf(id));
  facts.remove(byNumber([...doomed, ...topics]));
  return { ...NOTHING, facts: doomed.length, vectors: gone, summaries };
}

/** What a session's episode in progress has counted so far may be of the forgotten, too: it counts from here. */
function reopen(
  { episodes }: ForgetParts,
  sessionKey: string,
  isKept: (telling: Telling) => boolean,
  forgotten: string | undefined,
): void {
  const open = episodes.openOf(sessionKey);
  if (!open) return;
  const without: OpenEpisode = {
    ...open,
    counts: {},
    lines: [],
    recent: [],
    tellings: open.tellings.filter(isKept),
    people: open.people.filter((person) => person !== forgotten),
    tail: open.tail.map(({ person, ...gist }) => ({
      ...gist,
      lines: [],
      tellings: gist.tellings.filter(isKept),
      ...(person === undefined || person === forgotten ? {} : { person }),
    })),
  };
  episodes.keepOpen(sessionKey, without);
}

function isKeptForgotten({ said, subject = "", value, person, at }: KeptFact, tombstones: Tombstones): boolean {
  if (person !== undefined && tombstones.holds("person", keyOf(person), at)) return true;
  return [said, subject, value].some((text) => tombstones.isMentioned(text, at));
}

function siblingsOf(facts: FactTable, { sessionKey, seq, position }: FactRow): FactRow[] {
  return facts.rows("WHERE session_key = ? AND seq = ? AND position = ?", sessionKey, seq, position);
}

function placeOf({ sessionId, entryId, position }: { sessionId: string; entryId: string; position: number }): string {
  return `${sessionId}/${entryId}/${position}`;
}

function byNumber<Row extends { readonly number: number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.number, row])).values()];
}
