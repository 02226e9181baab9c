// Appends to transcripts and keeps the conversations that are in use ready in memory.
import { GatewayError, type AgentMessage, type Change, type Clock, type Ids, type Ledger } from "@chela/sdk";
import { OneAtATime } from "../base/one-at-a-time.ts";
import { readConversation, type Conversation } from "./conversation.ts";

/** An entry without what the transcript itself adds: id, parent and time. */
export type EntryBody = { readonly type: string } & Record<string, unknown>;

interface AppendStep {
  readonly before?: readonly Change[];
  readonly after?: readonly Change[];
  readonly commit?: (changes: readonly Change[]) => Promise<void>;
}

interface Cached extends Conversation {
  chars: number;
}

/** More than any model reads at once; older entries stay in the ledger. */
const NEWEST_ENTRIES = 2000;
const CACHE_CHARS = 1_000_000;
const ID_ATTEMPTS = 5;

export class Transcripts {
  readonly #ledger: Ledger;
  readonly #ids: Ids;
  readonly #clock: Clock;
  /** In order of use, the least recently used first. */
  readonly #cache = new Map<string, Cached>();
  #cachedChars = 0;
  /** Each entry hangs on the one before it, so two appends must not be named at once. */
  readonly #oneAtATime = new OneAtATime();

  constructor(parts: { readonly ledger: Ledger; readonly ids: Ids; readonly clock: Clock }) {
    this.#ledger = parts.ledger;
    this.#ids = parts.ids;
    this.#clock = parts.clock;
  }

  /** The conversation as it is now. The caller must not change it. */
  async read(sessionId: string): Promise<Readonly<Conversation>> {
    return this.#take(sessionId) ?? (await this.#load(sessionId));
  }

  /**
   * Appends entries in one commit with `before` (written first) and `after`.
   * `commit` decides how patient the write is. Returns the ids the entries got.
   */
  append(sessionId: string, bodies: readonly EntryBody[], step: AppendStep = {}): Promise<string[]> {
    return this.#oneAtATime.run(sessionId, () => this.#appendNow(sessionId, bodies, step));
  }

  async #appendNow(sessionId: string, bodies: readonly EntryBody[], step: AppendStep): Promise<string[]> {
    const commit = step.commit ?? ((changes) => this.#ledger.commit(changes));
    const conversation = await this.read(sessionId);
    for (let attempt = 1; ; attempt++) {
      const entries = this.#name(bodies, conversation.leafId);
      const change: Change = { kind: "entries-append", sessionId, entries };
      try {
        await commit([...(step.before ?? []), change, ...(step.after ?? [])]);
      } catch (error) {
        const clash = GatewayError.is(error) && error.code === "STORE_CONFLICT";
        if (clash && attempt < ID_ATTEMPTS) continue;
        throw error;
      }
      this.#remember(sessionId, bodies, entries);
      return entries.map(({ id }) => id);
    }
  }

  /** After a change behind our back (cut, archive, import): read it anew next time. */
  forget(sessionId: string): void {
    const cached = this.#cache.get(sessionId);
    if (!cached) return;
    this.#cache.delete(sessionId);
    this.#cachedChars -= cached.chars;
  }

  forgetAll(): void {
    this.#cache.clear();
    this.#cachedChars = 0;
  }

  #name(bodies: readonly EntryBody[], leafId: string | null): Array<{ id: string; line: string }> {
    const timestamp = new Date(this.#clock.now()).toISOString();
    let parentId = leafId;
    return bodies.map(({ type, ...rest }) => {
      const id = this.#ids.entryId();
      const line = JSON.stringify({ type, id, parentId, timestamp, ...rest });
      parentId = id;
      return { id, line };
    });
  }

  #take(sessionId: string): Cached | undefined {
    const cached = this.#cache.get(sessionId);
    if (!cached) return undefined;
    this.#cache.delete(sessionId);
    this.#cache.set(sessionId, cached);
    return cached;
  }

  async #load(sessionId: string): Promise<Cached> {
    const stored = await this.#ledger.entries(sessionId, { newest: NEWEST_ENTRIES });
    const chars = stored.reduce((sum, entry) => sum + entry.line.length, 0);
    const cached = { ...readConversation(stored), chars };
    this.forget(sessionId);
    this.#cache.set(sessionId, cached);
    this.#cachedChars += chars;
    this.#evict(sessionId);
    return cached;
  }

  #remember(sessionId: string, bodies: readonly EntryBody[], entries: readonly { id: string; line: string }[]): void {
    const cached = this.#cache.get(sessionId);
    if (!cached) return;
    const chars = entries.reduce((sum, entry) => sum + entry.line.length, 0);
    cached.leafId = entries.at(-1)?.id ?? cached.leafId;
    cached.messages.push(
      ...bodies.flatMap((body) => (body.type === "message" ? [body["message"] as AgentMessage] : [])),
    );
    cached.chars += chars;
    this.#cachedChars += chars;
    this.#evict(sessionId);
  }

  #evict(keep: string): void {
    for (const sessionId of this.#cache.keys()) {
      if (this.#cachedChars <= CACHE_CHARS) return;
      if (sessionId !== keep) this.forget(sessionId);
    }
  }
}
