// The index of an agent's notes and of what was said: kept in step with the disk, filled with vectors behind, and searched.
import { defined } from "@chela/sdk/base";
import { GatewayError, type Clock } from "@chela/sdk";
import { NoteLanguages } from "../languages/note-languages.ts";
import type { KeeperLog } from "../keeper-log.ts";
import type {
  FedEntry,
  Finding,
  IndexedNote,
  IndexSettings,
  IndexStatus,
  LanguageShare,
  Progress,
  SearchAnswer,
  SearchWish,
  SyncAnswer,
} from "../messages.ts";
import { SpaceAsker } from "./spaces/ask-spaces.ts";
import { checkIndex } from "./check-index.ts";
import { ChunkTable } from "./notes/chunk-table.ts";
import { isDamage } from "./store/damaged-file.ts";
import { describeIndex, whatIsWrong } from "./describe-index.ts";
import { IndexSearch, type More } from "./search/index-search.ts";
import { NoteSync } from "./notes/note-sync.ts";
import { overwriteRemovedWords } from "./store/overwrite-removed-words.ts";
import { pause } from "./pause.ts";
import { ConversationChunks } from "./notes/conversation-chunks.ts";
import { AgentSpaces, type EmbedderSet } from "./spaces/agent-spaces.ts";
import type { Store } from "./store/store.ts";
import { trimCache } from "./store/trim-cache.ts";
import { VectorWork } from "./spaces/vector-work.ts";
import { WordSearch } from "./search/word-search.ts";

export type { EmbedderSet } from "./spaces/agent-spaces.ts";

export interface MemoryIndexParts {
  readonly store: Store;
  readonly settings: IndexSettings;
  readonly embedders: EmbedderSet;
  readonly clock: Clock;
  readonly log: KeeperLog;
  progressed(progress: Progress): void;
}

const SYNCED_KEY = "synced_at";
/** While a conversation goes on, its last chunk changes with every message. */
const FILL_SAID_AFTER_MS = 2_000;
/** Vectors are written in blocks: a few at a time would write each block again and again. */
const LEAST_WHILE_READING = 500;
/** Set until the words of what was forgotten are overwritten: a restart goes on with that. */
const OVERWRITE_KEY = "overwrite_removed";

export class MemoryIndex {
  readonly #parts: MemoryIndexParts;
  readonly #shelf: AgentSpaces;
  readonly #chunks: ChunkTable;
  readonly #said: ConversationChunks;
  readonly #work: VectorWork;
  readonly #notes: NoteSync;
  readonly #search: IndexSearch;
  readonly #asker: SpaceAsker;
  readonly #languages: NoteLanguages;
  #syncing: Promise<SyncAnswer> | undefined;
  #nextSync: { readonly promise: Promise<SyncAnswer>; isForced: boolean } | undefined;
  #cancelFill: (() => void) | undefined;
  #overwriting: Promise<void> | undefined;
  #damage: string | undefined;
  #isClosed = false;

  constructor(parts: MemoryIndexParts) {
    this.#parts = parts;
    const { store, settings, embedders, clock, log, progressed } = parts;
    const shelf = (this.#shelf = new AgentSpaces(store, embedders, clock, log));
    const chunks = (this.#chunks = new ChunkTable(store, shelf, clock));
    this.#said = new ConversationChunks(store, chunks, settings.chunking);
    const rested = (hasWorked: boolean) => (hasWorked ? this.#rest() : undefined);
    const failed = (error: unknown) => this.#failed(error);
    const least = () => (this.#notes.progress ? LEAST_WHILE_READING : 1);
    const work = (this.#work = new VectorWork(shelf, { store, chunks, clock, log, least, progressed, rested, failed }));
    const isClosed = () => this.#isClosed;
    const added = () => work.wake();
    this.#notes = new NoteSync({ store, chunks, settings, clock, progressed, added, isClosed });
    this.#asker = new SpaceAsker({ shelf, chunks, work, clock });
    const languages = (this.#languages = new NoteLanguages(store));
    const words = new WordSearch(store, chunks, languages);
    const damaged = (error: unknown) => this.#condemn(error);
    const look = () => languages.look(chunks.count);
    this.#search = new IndexSearch({ store, chunks, words, look, asker: this.#asker, settings, clock, damaged });
    if (store.meta(OVERWRITE_KEY) !== undefined) this.#overwriting = this.#overwriteRemoved();
  }

  /** The file is damaged: it has to be closed and opened again, which makes it anew. */
  get isDamaged(): boolean {
    return this.#damage !== undefined;
  }

  /** One at a time; whoever asks while one runs gets the next, which sees what changed meanwhile. */
  sync(isForced: boolean): Promise<SyncAnswer> {
    if (!this.#syncing) return this.#startSync(isForced);
    if (this.#nextSync) {
      this.#nextSync.isForced ||= isForced;
      return this.#nextSync.promise;
    }
    const running = this.#syncing.catch(() => {});
    const promise = running.then(() => {
      const wished = this.#nextSync?.isForced ?? isForced;
      this.#nextSync = undefined;
      return this.#startSync(wished);
    });
    this.#nextSync = { promise, isForced };
    return promise;
  }

  async search(wish: SearchWish, more?: More): Promise<SearchAnswer> {
    const answer = await this.#guard(() => this.#search.search(wish, more));
    // Rows of a space that turned out to be damaged are put together again.
    if (this.#shelf.main && this.#shelf.main.gap(this.#chunks.count) > 0) this.#work.wake();
    const indexing = this.#notes.progress ?? this.#work.progress;
    return { ...answer, ...defined({ indexing }) };
  }

  notes(): readonly IndexedNote[] {
    return this.#parts.store
      .statement(
        `SELECT path, size, mtime, (SELECT count(*) FROM chunks WHERE chunks.path = files.path) AS chunks
         FROM files WHERE source = 'memory' ORDER BY path`,
      )
      .all()
      .map(({ path, size, mtime, chunks }) => ({
        path: String(path),
        size: Number(size),
        updatedAtMs: Number(mtime),
        chunks: Number(chunks),
      }));
  }

  languages(): Promise<readonly LanguageShare[]> {
    return this.#languages.shares(this.#chunks.count);
  }

  status(): Omit<IndexStatus, "learned" | "languages"> {
    const progress = this.#notes.progress ?? this.#work.progress;
    const syncedAt = this.#parts.store.meta(SYNCED_KEY);
    return {
      ...describeIndex(this.#parts, this.#shelf, this.#chunks.count),
      ...(syncedAt === undefined ? {} : { syncedAt: Number(syncedAt) }),
      isIndexing: this.#syncing !== undefined || this.#work.isRunning,
      ...defined({ progress }),
      notes: [
        ...(this.#damage === undefined ? [] : ["The index is damaged and has to be made anew."]),
        ...this.#notes.notes,
        ...whatIsWrong(this.#parts.store, this.#shelf),
      ],
    };
  }

  async check(repairs: boolean): Promise<readonly Finding[]> {
    const { store, settings } = this.#parts;
    await this.#syncing?.catch(() => {});
    return checkIndex({
      store,
      settings,
      repairs,
      chunks: this.#chunks,
      shelf: this.#shelf,
      damaged: (error) => this.#condemn(error),
      sync: () => this.sync(true),
      fill: () => this.#work.lookAgain(),
      isFilling: () => this.#work.isRunning,
    });
  }

  /** Every note is read and cut again by the next sync, each taking the place of what was there. Vectors are kept. */
  rebuild(): void {
    this.#parts.store.transaction(() => {
      this.#parts.store.statement("UPDATE files SET hash = '', note = '' WHERE source = 'memory'").run();
    });
  }

  /** Part of the caller's transaction. */
  addSaid(entries: readonly FedEntry[]): void {
    this.#said.add(entries);
    this.#cancelFill ??= this.#parts.clock.after(FILL_SAID_AFTER_MS, () => {
      this.#cancelFill = undefined;
      this.#work.wake();
    });
  }

  /** Nothing of it is left in the file, once this and the work behind it are done. */
  forgetSession(sessionKey: string): { chunks: number; vectors: number } {
    return this.#forgetSaid(this.#said.numbers(sessionKey));
  }

  /** The same for conversations that are gone. */
  takeOut(sessionIds: ReadonlySet<string>): void {
    this.#forgetSaid(this.#said.numbersIn(sessionIds));
  }

  /** All that was said is void: what is to be found of it is said again. */
  dropSaid(): { chunks: number; vectors: number } {
    return this.#forgetSaid(this.#said.numbers());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelFill?.();
    await this.#syncing?.catch(() => {});
    await this.#work.close();
    await this.#overwriting;
  }

  #startSync(isForced: boolean): Promise<SyncAnswer> {
    const syncing = this.#guard(() => this.#syncNow(isForced)).finally(() => (this.#syncing = undefined));
    this.#syncing = syncing;
    return syncing;
  }

  async #syncNow(isForced: boolean): Promise<SyncAnswer> {
    const { store, settings, clock } = this.#parts;
    if (!settings.sources.includes("sessions")) this.dropSaid();
    const answer = await this.#notes.run(isForced);
    if (this.#isClosed) return answer;
    store.setMeta(SYNCED_KEY, String(clock.now()));
    if (answer.changed + answer.removed > 0) trimCache(store, this.#shelf, settings.cacheEntries);
    this.#work.wake();
    return answer;
  }

  #forgetSaid(numbers: readonly number[]): { chunks: number; vectors: number } {
    if (numbers.length === 0) return { chunks: 0, vectors: 0 };
    const { store } = this.#parts;
    const vectors = store.transaction(() => {
      store.setMeta(OVERWRITE_KEY, "1");
      const forgotten = this.#chunks.forget(numbers);
      this.#said.removeEmptyFiles();
      return forgotten;
    });
    this.#overwriting ??= this.#overwriteRemoved();
    return { chunks: numbers.length, vectors };
  }

  /** When all vectors are there, those that are only a stopgap need no memory, and the cache is trimmed. */
  #rest(): void {
    const { store, settings } = this.#parts;
    const { main, instant } = this.#shelf;
    if (instant && main?.gap(this.#chunks.count) === 0) instant.unload();
    trimCache(store, this.#shelf, settings.cacheEntries);
  }

  async #overwriteRemoved(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      await pause();
      const isDone = await overwriteRemovedWords(store, () => this.#isClosed);
      if (isDone) store.dropMeta(OVERWRITE_KEY);
    } catch (error) {
      log("warn", "words of what was forgotten are not yet overwritten in the file", { error: String(error) });
    } finally {
      this.#overwriting = undefined;
    }
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#damage !== undefined) throw unusable(this.#damage);
    try {
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#condemn(error);
      throw unusable(error);
    }
  }

  #condemn(error: unknown): void {
    this.#damage = error instanceof Error ? error.message : String(error);
    this.#parts.store.condemn(this.#damage);
    this.#parts.log("warn", "the memory index is damaged; it is made anew when it is opened again", {
      path: this.#parts.store.path,
      why: this.#damage,
    });
  }

  /** Whether it is worth trying again. */
  #failed(error: unknown): boolean {
    if (!isDamage(error)) return true;
    this.#condemn(error);
    return false;
  }
}

function unusable(cause: unknown): GatewayError {
  return new GatewayError("MEMORY_UNAVAILABLE", "the index is damaged and has to be made anew", { cause });
}
