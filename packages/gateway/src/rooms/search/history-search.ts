// Searches everything that was said, and keeps the index behind it in step with the ledger, a little at a time.
import { GatewayError, type Clock, type HistoryEntry, type Ledger, type Logger } from "@chela/sdk";
import { IndexStore, isDamage, type IndexedEntry } from "./index-store.ts";
import { readQuery, toExpression, type Query } from "./query.ts";
import { readSaid, type ShownWords } from "../../base/text/said-text.ts";
import { hasAll, makeSnippet, type Snippet } from "./snippet.ts";
import { tagsOf, wantedTags } from "./tags.ts";
import { defined, isObject, parseJson, wordsOf } from "@chela/sdk/base";

export interface SearchParts {
  readonly ledger: Pick<Ledger, "history" | "newestSeq">;
  /** Of the index; it is made when it is missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly shownWords: ShownWords;
  /** Somebody is being answered: the index can wait. */
  isBusy(): boolean;
  /** Told while the index is filled in the background, and once at its end. */
  progressed(progress: IndexProgress): void;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly role?: "user" | "assistant";
  /** Milliseconds since the epoch: said at this time or later. */
  readonly after?: number;
  /** Said before this time. */
  readonly before?: number;
  readonly includeDeleted?: boolean;
  /** For somebody who may not see everything. */
  readonly sight?: Sight;
}

/** What is shown of all that was said; undefined where all of it is. */
interface Sight {
  /** Nothing is seen beyond these agents and sessions; the index looks nowhere else. */
  readonly agentIds: readonly string[];
  readonly sessionKeys: readonly string[];
  sees(sessionKey: string): Promise<boolean>;
  /** What is found only in words that this leaves out is not found. */
  clean(text: string): string;
}

/** How far the index is; `of` is what the ledger has. */
export interface IndexProgress {
  readonly done: number;
  readonly of: number;
}

export interface SearchHit extends Snippet {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly entryId: string;
  readonly role: "user" | "assistant";
  readonly at: number;
  readonly archived?: "reset" | "deleted";
  /** The job that asks this in a person's place. */
  readonly job?: { readonly id: string; readonly name: string };
}

export interface SearchAnswer {
  /** The newest first. */
  readonly hits: readonly SearchHit[];
  /** There are more than were asked for. */
  readonly hasMore: boolean;
  /** While entries are missing in the index. */
  readonly indexing?: IndexProgress;
}

/** A step takes a few milliseconds, and others are served between two of them. */
const ENTRIES_AT_ONCE = 60;
const CHARS_AT_ONCE = 40_000;
/** Longer texts are found by their beginning. */
const MOST_CHARS = 200_000;
/** What a search itself waits for, so that what was said a moment ago is found. */
const STEPS_BEFORE_SEARCH = 5;
const PAUSE_MS = 10;
const BUSY_PAUSE_MS = 250;
const RETRY_MS = 30_000;
const PROGRESS_EVERY_MS = 1_000;
/** Hits in sessions that are not shown are passed over, but not without end. */
const MOST_ROUNDS = 10;

export class HistorySearch {
  readonly #parts: SearchParts;
  #opening: Promise<IndexStore> | undefined;
  #store: IndexStore | undefined;
  #cancel: (() => void) | undefined;
  #toldAt = -Infinity;
  #isClosed = false;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const query = readQuery(request.query);
    // Somebody who types passes through this: a quote, a minus, a word to leave out before the first to look for.
    if (query.all.length === 0) return { hits: [], hasMore: false };
    const isCurrent = await this.#catchUp();
    const found = await this.#guard((store) => this.#find(store, request, query));
    if (isCurrent) return found;
    this.#goOn(PAUSE_MS);
    return { ...found, indexing: await this.#progress() };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#store?.close();
    this.#store = undefined;
  }

  /** Whether the index now knows everything. */
  async #catchUp(): Promise<boolean> {
    try {
      for (let step = 0; step < STEPS_BEFORE_SEARCH; step++) {
        if (await this.#guard((store) => this.#step(store))) return true;
      }
    } catch (error) {
      // A full disk, say: what is in the index can still be found.
      if (!this.#store) throw error;
      this.#parts.log.warn("the search index could not be brought up to date", { error: String(error) });
    }
    return false;
  }

  #goOn(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#cancel ??= this.#parts.clock.after(this.#parts.isBusy() ? BUSY_PAUSE_MS : pauseMs, () => {
      this.#cancel = undefined;
      void this.#stepBehind();
    });
  }

  async #stepBehind(): Promise<void> {
    try {
      const isDone = await this.#guard((store) => this.#step(store));
      await this.#tell(isDone);
      if (!isDone) this.#goOn(PAUSE_MS);
    } catch (error) {
      if (this.#isClosed) return;
      this.#parts.log.warn("the search index could not be filled; it is tried again", { error: String(error) });
      this.#goOn(RETRY_MS);
    }
  }

  /** Takes some more entries in; true when there are none left. */
  async #step(store: IndexStore): Promise<boolean> {
    const { ledger } = this.#parts;
    const from = store.mark.seq;
    const history = await ledger.history(from, ENTRIES_AT_ONCE);
    // Another step was faster, or the room was closed meanwhile.
    if (this.#isClosed || store !== this.#store || store.mark.seq !== from) return false;
    const entries: IndexedEntry[] = [];
    let last: HistoryEntry | undefined;
    let chars = 0;
    for (const entry of history) {
      const indexed = this.#toIndexed(entry);
      if (indexed) entries.push(indexed);
      last = entry;
      if ((chars += indexed?.words.length ?? 0) > CHARS_AT_ONCE) break;
    }
    if (!last) return true;
    store.add(entries, { seq: last.seq, entryId: idOf(last) });
    return history.length < ENTRIES_AT_ONCE && last === history.at(-1) && last.seq >= (await ledger.newestSeq());
  }

  #toIndexed(entry: HistoryEntry): IndexedEntry | undefined {
    const said = readSaid(entry.line, this.#parts.shownWords);
    if (!said) return undefined;
    const words = Array.from(wordsOf(said.text.slice(0, MOST_CHARS)), ({ word }) => word).join(" ");
    return { seq: entry.seq, at: said.at, words, tags: tagsOf({ ...entry, ...said }) };
  }

  async #find(store: IndexStore, request: SearchRequest, query: Query): Promise<SearchAnswer> {
    const { limit, after, before } = request;
    const expression = toExpression(query, wantedTags({ ...request, now: this.#parts.clock.now() }));
    const times = { ...defined({ after, before }) };
    const hits: SearchHit[] = [];
    let below = Number.MAX_SAFE_INTEGER;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const seqs = store.find({ expression, below, limit: limit + 1, ...times });
      for (const seq of seqs) {
        const hit = await this.#toHit(seq, request, query);
        if (hit && hits.length === limit) return { hits, hasMore: true };
        if (hit) hits.push(hit);
      }
      if (seqs.length <= limit) return { hits, hasMore: false };
      below = seqs.at(-1) ?? 0;
    }
    return { hits, hasMore: true };
  }

  async #toHit(seq: number, request: SearchRequest, query: Query): Promise<SearchHit | undefined> {
    const [entry] = await this.#parts.ledger.history(seq - 1, 1);
    if (entry?.seq !== seq || (entry.archived === "deleted" && !request.includeDeleted)) return undefined;
    if (request.sessionKey !== undefined && entry.sessionKey !== request.sessionKey) return undefined;
    if (request.agentId !== undefined && entry.agentId !== request.agentId) return undefined;
    const { sight } = request;
    if (sight && !(await sight.sees(entry.sessionKey))) return undefined;
    const said = readSaid(entry.line, this.#parts.shownWords);
    if (!said) return undefined;
    const text = sight ? sight.clean(said.text) : said.text;
    if (text !== said.text && !hasAll(text, query.all)) return undefined;
    const { sessionKey, sessionId, archived } = entry;
    const { entryId, role, at, job } = said;
    const of = { sessionKey, sessionId, entryId, role, at, ...(archived ? { archived } : {}), ...(job ? { job } : {}) };
    return { ...of, ...makeSnippet(text, query.all) };
  }

  async #progress(): Promise<IndexProgress> {
    const done = this.#store?.mark.seq ?? 0;
    return { done, of: Math.max(done, await this.#parts.ledger.newestSeq()) };
  }

  async #tell(isDone: boolean): Promise<void> {
    const now = this.#parts.clock.steady();
    if (!isDone && now - this.#toldAt < PROGRESS_EVERY_MS) return;
    this.#toldAt = now;
    this.#parts.progressed(await this.#progress());
  }

  /** An index that turns out to be damaged is made anew, once; what was asked of it is then asked again. */
  async #guard<T>(work: (store: IndexStore) => Promise<T>): Promise<T> {
    const store = await this.#open();
    try {
      return await work(store);
    } catch (error) {
      if (!isDamage(error) || store !== this.#store) throw error;
      this.#parts.log.warn("the search index is damaged; it is made anew");
      store.close();
      this.#store = IndexStore.anew(this.#parts.path);
      this.#opening = Promise.resolve(this.#store);
      return work(this.#store);
    }
  }

  #open(): Promise<IndexStore> {
    if (this.#isClosed) throw new GatewayError("SEARCH_UNAVAILABLE", "the gateway is stopping");
    if (this.#opening) return this.#opening;
    const opening = this.#openNow();
    this.#opening = opening;
    opening.catch(() => (this.#opening = undefined));
    return opening;
  }

  /** A ledger that was rebuilt numbers its entries anew, so the index has to follow. */
  async #openNow(): Promise<IndexStore> {
    const { ledger, path, log } = this.#parts;
    let store = IndexStore.open(path);
    try {
      const { seq, entryId } = store.mark;
      const [last] = seq > 0 ? await ledger.history(seq - 1, 1) : [];
      if (seq > 0 && (last?.seq !== seq || idOf(last) !== entryId)) {
        log.info("the ledger is another one than the search index knows; the index is made anew");
        store.close();
        store = IndexStore.anew(path);
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      store.close();
      store = IndexStore.anew(path);
    }
    this.#store = store;
    return store;
  }
}

function idOf({ sessionId, line }: HistoryEntry): string {
  const entry = parseJson(line);
  return `${sessionId}/${String(isObject(entry) ? entry["id"] : undefined)}`;
}
