// The memory of one agent inside the keeper: the index of its notes, and what its conversations taught, in one file.
import { toGatewayError, type Clock } from "@chela/sdk";
import { removeFilesAside } from "./index/store/damaged-file.ts";
import { MemoryIndex, type EmbedderSet } from "./index/memory-index.ts";
import { openStore, type Store } from "./index/store/store.ts";
import { Learning } from "./learning/learning.ts";
import { LeftOut } from "./left-out.ts";
import type {
  FactWish,
  FedEntry,
  FeedMark,
  Finding,
  IndexSettings,
  IndexStatus,
  KeeperCalls,
  Progress,
  ReadingState,
  SearchAnswer,
  SearchWish,
  SyncAnswer,
} from "./messages.ts";
import type { KeeperLog } from "./keeper-log.ts";

export interface AgentMemoryParts {
  readonly settings: IndexSettings;
  readonly embedders: EmbedderSet;
  readonly clock: Clock;
  readonly log: KeeperLog;
  progressed(progress: Progress): void;
}

/** In the index: whether what was said is kept word by word. */
const WORDS_KEPT = "words_kept";
const NONE = { chunks: 0, vectors: 0 };
const EMBEDDED_AT_ONCE = 32;
/**
 * Facts and episodes get their vectors when nothing came for so long, once somebody searches. Learning needs no model, and
 * a model needs hundreds of megabytes: who only talks does not pay for it.
 */
const EMBED_AFTER_MS = 2_000;
const EMBED_AGAIN_MS = 300_000;

export class AgentMemory {
  readonly #parts: AgentMemoryParts;
  readonly #store: Store;
  readonly #index: MemoryIndex;
  readonly #learning: Learning;
  readonly #leftOut: LeftOut;
  #cancelEmbedding: (() => void) | undefined;
  #isSearched = false;
  /** Those who use the file, until they are done. */
  readonly #users = new Set<Promise<unknown>>();
  #isClosed = false;

  static async open(parts: AgentMemoryParts): Promise<AgentMemory> {
    return new AgentMemory(parts, openStore(parts.settings.path, parts.log));
  }

  private constructor(parts: AgentMemoryParts, store: Store) {
    this.#parts = parts;
    this.#store = store;
    const { settings, embedders, clock, log, progressed } = parts;
    this.#index = new MemoryIndex({ store, settings, embedders, clock, log, progressed });
    this.#learning = new Learning({ store, settings, log });
    this.#leftOut = new LeftOut(store);
    this.#followSources();
  }

  async status(): Promise<IndexStatus> {
    const languages = await this.#using(this.#index.languages());
    const learned = { ...this.#learning.counts(), seq: this.#learning.mark().seq };
    return { ...this.#index.status(), languages, learned };
  }

  search(wish: SearchWish): Promise<SearchAnswer> {
    const limit = wish.maxResults ?? this.#parts.settings.query.maxResults;
    const { query, sessionKeys, sources } = wish;
    const recalls = sources === undefined || sources.includes("sessions");
    this.#isSearched = true;
    this.#embedSoon();
    return this.#using(
      this.#index.search(wish, (asked) =>
        recalls ? this.#learning.recall({ query, sessionKeys, limit: limit * 2, ...asked }) : [],
      ),
    );
  }

  /** Tries it now, whatever happened before. */
  async tryEmbedding(): Promise<KeeperCalls["tryEmbedding"]["gives"]> {
    const { main } = this.#parts.embedders;
    if (!main) return { why: "vectors are switched off; notes are found by their words" };
    try {
      await main.embed(["A note."], "query");
      return {};
    } catch (error) {
      return { why: toGatewayError(error, "MEMORY_EMBEDDING").detail };
    }
  }

  sync(isForced: boolean): Promise<SyncAnswer> {
    return this.#index.sync(isForced);
  }

  rebuild(what: "all" | "notes" | "learned"): undefined {
    if (what !== "notes") this.#readAgain();
    if (what !== "learned") this.#index.rebuild();
  }

  check(repairs: boolean): Promise<readonly Finding[]> {
    return this.#using(this.#index.check(repairs));
  }

  notes() {
    return this.#index.notes();
  }

  feedMark(): FeedMark {
    return this.#learning.mark();
  }

  /** What does not go on where memory is, is passed over: it was asked twice, or all has to be read again meanwhile. */
  feed(fed: Omit<KeeperCalls["feed"]["asks"], "agentId">): FeedMark {
    const { seq } = fed.isAnew ? { seq: 0 } : this.#learning.mark();
    if (fed.after !== seq) return this.#learning.mark();
    const entries = fed.entries.filter(({ sessionId }) => !this.#leftOut.has(sessionId));
    this.#store.transaction(() => {
      if (fed.isAnew) this.#index.dropSaid();
      if (this.#keepsWords()) this.#index.addSaid(entries.flatMap((entry) => this.#learning.unforgotten(entry) ?? []));
      this.#learning.learn(entries, fed.mark, fed.isAnew);
    });
    this.#embedSoon();
    return this.#learning.mark();
  }

  reading(now: number): ReadingState {
    return this.#learning.reading(now);
  }

  readable(entries: readonly FedEntry[]): readonly string[] {
    return this.#learning.readable(entries);
  }

  keepRead(read: Omit<KeeperCalls["keepRead"]["asks"], "agentId">): KeeperCalls["keepRead"]["gives"] {
    // It may have been deleted while the model read it.
    if (this.#leftOut.has(read.episode.sessionId)) return { facts: 0 };
    const kept = this.#learning.keepRead(read);
    this.#embedSoon();
    return kept;
  }

  facts(wish: FactWish) {
    return this.#learning.facts(wish);
  }

  subjects(wish: { readonly search?: string; readonly limit: number }) {
    return this.#learning.subjects(wish);
  }

  block(mostChars: number): KeeperCalls["block"]["gives"] {
    return { text: this.#learning.block(mostChars), sessionIds: this.#learning.sessionsInPrompt() };
  }

  /** Conversations that are gone teach nothing any more; one that is back is read again, with all others. */
  leaveOut(sessionIds: readonly string[]): KeeperCalls["leaveOut"]["gives"] {
    return this.#store.transaction(() => {
      const change = this.#leftOut.replace(sessionIds);
      if (change.kind === "back") this.#readAgain();
      if (change.kind === "gone") {
        this.#learning.takeOut(change.sessionIds);
        this.#index.takeOut(change.sessionIds);
        removeFilesAside(this.#store.path);
      }
      return { change: change.kind };
    });
  }

  /** Where words are kept as they were said, all conversations are read again from the start, without what is forgotten. */
  forget({ what, at, mostChars }: Omit<KeeperCalls["forget"]["asks"], "agentId">): KeeperCalls["forget"]["gives"] {
    const learned = this.#learning.forget(what, at);
    // Before all is read again: until then nothing else is known.
    const block = this.block(mostChars);
    removeFilesAside(this.#store.path);
    const said =
      what.kind === "session"
        ? this.#index.forgetSession(what.sessionKey)
        : this.#keepsWords()
          ? this.#readAgain()
          : NONE;
    const forgotten = { ...learned, chunks: learned.chunks + said.chunks, vectors: learned.vectors + said.vectors };
    return { forgotten, tombs: this.#learning.forgotten(), block };
  }

  restoreForgotten(tombs: string): undefined {
    this.#learning.restoreForgotten(tombs);
  }

  /** The file turned out to be damaged: it has to be opened again, which makes it anew. */
  get isDamaged(): boolean {
    return this.#index.isDamaged;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelEmbedding?.();
    await this.#index.close();
    await Promise.allSettled(this.#users);
    this.#store.close();
  }

  /** Whoever closes the file waits for those who still read in it. */
  async #using<T>(work: Promise<T>): Promise<T> {
    this.#users.add(work);
    try {
      return await work;
    } finally {
      this.#users.delete(work);
    }
  }

  /** Where words are kept from now on, those of earlier conversations are fed, too. */
  #followSources(): void {
    const kept = this.#keepsWords() ? "yes" : "no";
    const isNew = kept === "yes" && this.#store.meta(WORDS_KEPT) !== kept;
    // What is fed from the start must not find itself there already.
    if (isNew || this.#learning.mark().seq === 0) this.#readAgain();
    this.#store.setMeta(WORDS_KEPT, kept);
  }

  #keepsWords(): boolean {
    return this.#parts.settings.sources.includes("sessions");
  }

  /** All conversations are fed again, from the first entry. */
  #readAgain(): { chunks: number; vectors: number } {
    this.#learning.rebuild();
    return this.#index.dropSaid();
  }

  #embedSoon(afterMs = EMBED_AFTER_MS): void {
    const { main } = this.#parts.embedders;
    if (!main || this.#isClosed || !this.#isSearched) return;
    this.#cancelEmbedding?.();
    this.#cancelEmbedding = this.#parts.clock.after(afterMs, () => {
      this.#learning
        .embedPending(main, EMBEDDED_AT_ONCE)
        .then((left) => left > 0 && this.#embedSoon())
        .catch((error: unknown) => {
          if (this.#isClosed) return;
          this.#parts.log("warn", "what conversations taught has no vectors yet", { error: String(error) });
          this.#embedSoon(EMBED_AGAIN_MS);
        });
    });
  }
}
