// Cuts a session into episodes, one entry after the other: what an episode is depends on what was said, never on when it
// was read or how much of it at once.
import { stemsOf } from "./rules/topic-words.ts";

/** A sentence that may stand for its episode. */
export interface Telling {
  readonly entryId: string;
  readonly seq: number;
  readonly position: number;
  readonly score: number;
  readonly text: string;
  /** Who said it, where that is known. */
  readonly person?: string;
}

/** The words one sentence is about. */
interface Line {
  /** The same for the same sentence. */
  readonly key: string;
  readonly words: readonly string[];
}

/** What is kept of an entry for its episode. */
export interface Gist {
  readonly entryId: string;
  readonly seq: number;
  readonly at: number;
  readonly role: "user" | "assistant";
  readonly chars: number;
  readonly lines: readonly Line[];
  readonly tellings: readonly Telling[];
  readonly person?: string;
  readonly isOwner: boolean;
}

export interface OpenEpisode {
  readonly id: string;
  readonly sessionId: string;
  readonly startEntryId: string;
  readonly startSeq: number;
  readonly startAt: number;
  entries: number;
  chars: number;
  /** In how many entries a word was; those of the tail are not counted yet, nor is what was said word by word before. */
  counts: Record<string, number>;
  /** The newest sentences that were counted. */
  lines: string[];
  tellings: Telling[];
  people: string[];
  /** The owner's own words are in it. */
  hasOwner: boolean;
  /** Words of the newest entries before the tail. */
  recent: string[][];
  /** The newest entries: a change of topic before them may still show. */
  tail: Gist[];
  /** The newest entry before the tail. */
  end: EntryPosition;
}

interface EntryPosition {
  readonly entryId: string;
  readonly seq: number;
  readonly at: number;
}

export interface Step {
  readonly open: OpenEpisode;
  /** The episode before it, as it ended. */
  readonly closed?: OpenEpisode;
}

/** Who comes back after so long begins something new. */
export const SILENCE_MS = 45 * 60_000;
const MOST_ENTRIES = 60;
const MOST_CHARS = 16_000;
const MOST_TELLINGS = 8;
/** More are hardly said in one episode. */
const MOST_LINES = 400;
/** Entries on either side of a change of topic. */
const TAIL = 4;
const RECENT = 6;
/** Too few words say nothing about a topic. */
const LEAST_STEMS = 12;
/** As much of the words of one side may be on the other when the topic changes. */
const MOST_SHARED = 0.07;

export type MakeEpisodeId = (sessionId: string, entryId: string) => string;

/** `newestAt` is the newest time of anything said before. */
export function addToEpisode(
  open: OpenEpisode | undefined,
  gist: Gist,
  { sessionId, newestAt, makeId }: { sessionId: string; newestAt: number; makeId: MakeEpisodeId },
): Step {
  if (!open || open.sessionId !== sessionId || isOver(open, gist, newestAt)) {
    const begun = begin([gist], sessionId, makeId);
    return open ? { open: begun, closed: open } : { open: begun };
  }
  open.tail.push(gist);
  if (open.tail.length < TAIL) return { open };
  if (changesTopic(open)) {
    return { open: begin(open.tail, sessionId, makeId), closed: { ...open, tail: [] } };
  }
  const oldest = open.tail.shift();
  if (oldest) absorb(open, oldest);
  return { open };
}

function isOver(open: OpenEpisode, { at }: Gist, newestAt: number): boolean {
  if (Math.max(at, newestAt) - lastAtOf(open) > SILENCE_MS) return true;
  return open.entries + open.tail.length >= MOST_ENTRIES || open.chars + charsOf(open.tail) >= MOST_CHARS;
}

function begin(gists: readonly Gist[], sessionId: string, makeId: MakeEpisodeId): OpenEpisode {
  const [first] = gists;
  if (!first) throw new RangeError("an episode begins with an entry");
  const open: OpenEpisode = {
    id: makeId(sessionId, first.entryId),
    sessionId,
    startEntryId: first.entryId,
    startSeq: first.seq,
    startAt: first.at,
    entries: 0,
    chars: 0,
    counts: {},
    lines: [],
    tellings: [],
    people: [],
    hasOwner: false,
    recent: [],
    tail: [],
    end: { entryId: first.entryId, seq: first.seq, at: first.at },
  };
  // All but the last entries are settled, as they would be had each come by itself.
  const settled = gists.length - (TAIL - 1);
  gists.forEach((gist, place) => (place < settled ? absorb(open, gist) : open.tail.push(gist)));
  return open;
}

/** Words of the tail that were not in what was said right before it. A person begins a topic, not the agent. */
function changesTopic({ tail, recent }: OpenEpisode): boolean {
  if (tail[0]?.role !== "user" || recent.length < RECENT) return false;
  const before = stemsOf(recent.flat());
  const after = stemsOf(tail.flatMap(wordsOf));
  if (before.size < LEAST_STEMS || after.size < LEAST_STEMS) return false;
  const shared = [...after].filter((stem) => before.has(stem)).length;
  return shared / Math.min(before.size, after.size) < MOST_SHARED;
}

function absorb(open: OpenEpisode, gist: Gist): void {
  open.entries += 1;
  open.chars += gist.chars;
  const said = gist.lines.filter(({ key }) => !open.lines.includes(key));
  for (const word of wordsOf({ lines: said })) open.counts[word] = countOf(open.counts, word) + 1;
  open.lines = [...open.lines, ...said.map(({ key }) => key)].slice(-MOST_LINES);
  open.tellings = mostTelling([...open.tellings, ...gist.tellings]);
  if (gist.person !== undefined && !open.people.includes(gist.person)) open.people.push(gist.person);
  open.hasOwner ||= gist.isOwner;
  open.recent = [...open.recent, wordsOf(gist)].slice(-RECENT);
  open.end = { entryId: gist.entryId, seq: gist.seq, at: gist.at };
}

/** Each once. */
function wordsOf({ lines }: Pick<Gist, "lines">): string[] {
  return [...new Set(lines.flatMap(({ words }) => words))];
}

/** "constructor" is a word like any other. */
function countOf(counts: Readonly<Record<string, number>>, word: string): number {
  return Object.hasOwn(counts, word) ? (counts[word] ?? 0) : 0;
}

/** The episode as it is now, with its newest entries. */
export function settle(open: OpenEpisode): OpenEpisode {
  if (open.tail.length === 0) return open;
  const whole = {
    ...open,
    counts: { ...open.counts },
    lines: [...open.lines],
    tellings: [...open.tellings],
    people: [...open.people],
    tail: [],
  };
  for (const gist of open.tail) absorb(whole, gist);
  return whole;
}

export function lastAtOf({ tail, end }: OpenEpisode): number {
  return (tail.at(-1) ?? end).at;
}

export function mostTelling(tellings: readonly Telling[]): Telling[] {
  return tellings
    .toSorted((a, b) => b.score - a.score || a.seq - b.seq || a.position - b.position)
    .slice(0, MOST_TELLINGS);
}

function charsOf(gists: readonly Gist[]): number {
  return gists.reduce((sum, { chars }) => sum + chars, 0);
}
