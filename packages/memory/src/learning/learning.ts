// Learns from conversations: episodes and facts, derived from the ledger, each naming the entry it comes from.
import type { Embedder } from "../embedder.ts";
import type { Store } from "../index/store/store.ts";
import type { KeeperLog } from "../keeper-log.ts";
import type {
  Fact,
  FactWish,
  FedEntry,
  FeedMark,
  ForgetWish,
  Forgotten,
  FoundChunk,
  KeeperCalls,
  ReadingState,
  Subject,
} from "../messages.ts";
import { dayOfTimeIn, type DayOfTime } from "./rules/days.ts";
import { EpisodeTable } from "./tables/episode-table.ts";
import { FactTable, toFact } from "./tables/fact-table.ts";
import { forget, takeOutConversation } from "./forget.ts";
import { LearnedVectors } from "./tables/learned-vectors.ts";
import { learnEntries, readMark, type LearnerParts } from "./learner.ts";
import { embedPending, type EmbeddedUpTo } from "./tables/pending-vectors.ts";
import { chooseFacts, writeBlock } from "./prompt-block.ts";
import { keepRead, type ReadEpisode } from "./read-by-model.ts";
import { readEntry, withoutForgotten } from "./read-entry.ts";
import { ReadTable } from "./tables/read-table.ts";
import { recallLearned, type RecallWish } from "./recall.ts";
import { clearLearned, prepareTables } from "./tables/schema.ts";
import { Tombstones } from "./tables/tombstones.ts";
import { WordTable } from "./tables/word-table.ts";

export interface LearningParts {
  readonly store: Store;
  /** Days are counted in `timeZone`, or where this machine is. */
  readonly settings: { readonly agentId: string; readonly timeZone?: string };
  readonly log: KeeperLog;
}

/** What a block is expected to have room for until one is asked for. */
const USUAL_BLOCK_CHARS = 4_000;

export class Learning {
  readonly #parts: LearningParts;
  readonly #words: WordTable;
  readonly #facts: FactTable;
  readonly #episodes: EpisodeTable;
  readonly #vectors: LearnedVectors;
  readonly #reads: ReadTable;
  readonly #tombstones: Tombstones;
  readonly #dayOfTime: DayOfTime;
  readonly #embeddedUpTo: EmbeddedUpTo = new Map();
  #blockChars = USUAL_BLOCK_CHARS;
  /** Ids of the facts in the block, for as long as nothing changes. */
  #inPrompt: ReadonlySet<string> | undefined;

  constructor(parts: LearningParts) {
    const { store, settings } = parts;
    this.#parts = parts;
    const isCurrent = prepareTables(store);
    this.#words = new WordTable(store);
    this.#facts = new FactTable(store, this.#words, settings.agentId);
    this.#episodes = new EpisodeTable(store, this.#words);
    this.#vectors = new LearnedVectors(store);
    this.#reads = new ReadTable(store);
    this.#tombstones = new Tombstones(store);
    this.#dayOfTime = dayOfTimeIn(settings.timeZone);
    store.onUndone(() => this.#reload());
    if (isCurrent) return;
    parts.log("info", "conversations are learned anew: this version reads them otherwise", { path: store.path });
    this.rebuild();
  }

  mark(): FeedMark {
    const { seq, entryId } = readMark(this.#parts.store);
    return { seq, entryId };
  }

  /** Part of the caller's transaction, with the mark. Entries that were learned before are passed over. */
  learn(entries: readonly FedEntry[], mark: FeedMark, isAnew: boolean): void {
    this.#inPrompt = undefined;
    if (isAnew) this.#clear();
    learnEntries(this.#learner(), entries, mark);
  }

  /** What others may keep of an entry, without what was forgotten; undefined when that is nothing. */
  unforgotten(entry: FedEntry): FedEntry | undefined {
    return withoutForgotten(this.#learner(), entry);
  }

  /** Which part of a conversation a model may read next. */
  reading(now: number): ReadingState {
    return this.#reads.state(now);
  }

  /** What of each entry may be shown to a model. */
  readable(entries: readonly FedEntry[]): string[] {
    const parts = this.#learner();
    return entries.map((entry) =>
      readEntry(parts, entry)
        .map(({ said }) => said)
        .join(" "),
    );
  }

  /** Asked twice it changes nothing. */
  keepRead(read: ReadEpisode): KeeperCalls["keepRead"]["gives"] {
    this.#inPrompt = undefined;
    const { store } = this.#parts;
    return { facts: store.transaction(() => keepRead(this.#learner(), read, readMark(store).seq)) };
  }

  /** What was forgotten, as hashes, to be kept elsewhere too. */
  forgotten(): string {
    return this.#tombstones.write();
  }

  restoreForgotten(written: string): void {
    this.#parts.store.transaction(() => this.#tombstones.restore(written));
  }

  facts(wish: FactWish): { readonly facts: readonly Fact[]; readonly total: number } {
    const { facts, total } = this.#facts.find(wish);
    const inPrompt = this.#idsInPrompt();
    return { facts: facts.map((row) => toFact(row, inPrompt.has(row.id))), total };
  }

  subjects(wish: { readonly search?: string; readonly limit: number }): readonly Subject[] {
    return this.#facts.subjects(wish);
  }

  /** The same for the same facts, whatever day it is. "" when nothing is known. */
  block(mostChars: number): string {
    const chosen = chooseFacts(this.#facts, this.#dayOfTime, mostChars);
    this.#blockChars = mostChars;
    this.#inPrompt = new Set(chosen.map(({ row }) => row.id));
    return writeBlock(chosen);
  }

  /** Also what is fed later, if it was said until `at`. What is removed is overwritten, too: the store sees to that. */
  forget(what: ForgetWish, at = 0): Forgotten {
    this.#inPrompt = undefined;
    const { store } = this.#parts;
    return store.transaction(() => {
      const forgotten = forget(
        {
          facts: this.#facts,
          episodes: this.#episodes,
          words: this.#words,
          vectors: this.#vectors,
          reads: this.#reads,
          tombstones: this.#tombstones,
          newestAt: Math.max(at, readMark(store).newestAt),
        },
        what,
      );
      this.#words.wipe();
      return forgotten;
    });
  }

  /** What was learned in conversations that are gone. Part of the caller's transaction. */
  takeOut(sessionIds: ReadonlySet<string>): void {
    this.#inPrompt = undefined;
    const parts = { facts: this.#facts, episodes: this.#episodes, vectors: this.#vectors, reads: this.#reads };
    // What a model read is there also while the rest is just being learned anew.
    const tables = ["facets", "episodes", "read_facts", "read_episodes"];
    const known = this.#parts.store
      .statement(tables.map((table) => `SELECT session_id FROM ${table}`).join(" UNION "))
      .all()
      .map((row) => String(row["session_id"]));
    const gone = known.filter((sessionId) => sessionIds.has(sessionId));
    for (const sessionId of gone) takeOutConversation(parts, sessionId);
    if (gone.length > 0) this.#words.wipe();
  }

  /** The conversations that the block was made from. */
  sessionsInPrompt(): string[] {
    const rows = [...this.#idsInPrompt()].flatMap((id) => this.#facts.rows("WHERE id = ?", id));
    return [...new Set(rows.map(({ sessionId }) => sessionId))];
  }

  recall(wish: RecallWish): readonly FoundChunk[] {
    const parts = { facts: this.#facts, episodes: this.#episodes, words: this.#words, vectors: this.#vectors };
    return recallLearned(parts, wish);
  }

  counts(): { readonly entries: number; readonly episodes: number; readonly facts: number } {
    const { entries } = readMark(this.#parts.store);
    return { entries, episodes: this.#episodes.count, facts: this.#facts.count };
  }

  /** Everything is learned anew from the first entry, without what was forgotten; what a model read is put back. */
  rebuild(): void {
    this.#inPrompt = undefined;
    this.#parts.store.transaction(() => this.#clear());
  }

  /** How many got their vectors; 0 when nothing is left. */
  embedPending(embedder: Embedder, most: number): Promise<number> {
    const parts = { store: this.#parts.store, vectors: this.#vectors, upTo: this.#embeddedUpTo };
    return embedPending(parts, embedder, most);
  }

  #learner(): LearnerParts {
    const { store, settings } = this.#parts;
    const tables = {
      facts: this.#facts,
      episodes: this.#episodes,
      reads: this.#reads,
      tombstones: this.#tombstones,
    };
    return { store, agentId: settings.agentId, ...tables, dayOfTime: this.#dayOfTime };
  }

  #clear(): void {
    this.#vectors.clear();
    clearLearned(this.#parts.store);
    this.#embeddedUpTo.clear();
  }

  #reload(): void {
    this.#inPrompt = undefined;
    this.#vectors.reload();
    this.#tombstones.reload();
    this.#embeddedUpTo.clear();
  }

  #idsInPrompt(): ReadonlySet<string> {
    if (!this.#inPrompt) this.block(this.#blockChars);
    return this.#inPrompt ?? new Set();
  }
}
