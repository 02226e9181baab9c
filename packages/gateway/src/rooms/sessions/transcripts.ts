// Appends to transcripts and keeps the conversations that are in use ready in memory.
import {
  GatewayError,
  type AgentMessage,
  type Change,
  type Clock,
  type Ids,
  type Ledger,
  type TranscriptEntry,
  OneAtATime,
} from "@chela/sdk";
import { activePath, parseEntry, toConversation, type Conversation } from "./conversation.ts";

/** An entry without what the transcript itself adds: id, parent and time. */
export type EntryBody = { readonly type: string } & Record<string, unknown>;

interface AppendStep {
  readonly before?: readonly Change[];
  readonly after?: readonly Change[];
  readonly commit?: (changes: readonly Change[]) => Promise<void>;
  /** Hangs the entries on this one instead of the newest: a new branch begins there. */
  readonly parentId?: string | null;
}

/** Entries of these kinds say nothing to a model and change nothing of what it sees. */
const SILENT_KINDS = new Set(["custom", "label", "model_change", "thinking_level_change", "session_info"]);

interface Cached extends Conversation {
  bytes: number;
}

/** More than any model reads at once; older entries stay in the ledger. */
const NEWEST_ENTRIES = 2000;
/** Over all conversations, some thousand short messages. The conversation that is being talked in always stays. */
const CACHE_BYTES = 1_200_000;
/** What a message takes besides what it says: short ones are mostly that. */
const MESSAGE_BYTES = 400;
const ID_ATTEMPTS = 5;

export class Transcripts {
  readonly #ledger: Ledger;
  readonly #ids: Ids;
  readonly #clock: Clock;
  /** In order of use, the least recently used first. */
  readonly #cache = new Map<string, Cached>();
  #cachedBytes = 0;
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

  /** The newest entries of the branch that is being talked in, oldest first. */
  async path(sessionId: string, newest: number): Promise<readonly TranscriptEntry[]> {
    const stored = await this.#ledger.entries(sessionId, { newest });
    const path = activePath(stored);
    const leaf = path.entries.at(-1);
    // Other branches took the place of older entries: walk this one alone.
    return path.isTorn && leaf ? (await this.#ledger.branch(sessionId, leaf.id, newest)).map(parseEntry) : path.entries;
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
      const entries = this.#name(bodies, step.parentId === undefined ? conversation.leafId : step.parentId);
      const change: Change = { kind: "entries-append", sessionId, entries };
      try {
        await commit([...(step.before ?? []), change, ...(step.after ?? [])]);
      } catch (error) {
        const clash = GatewayError.is(error) && error.code === "STORE_CONFLICT";
        if (clash && attempt < ID_ATTEMPTS) continue;
        throw error;
      }
      const isPlain = step.parentId === undefined && bodies.every(({ type }) => isPlainKind(type));
      if (isPlain) this.#remember(sessionId, bodies, entries);
      else this.forget(sessionId);
      return entries.map(({ id }) => id);
    }
  }

  /** Runs `work` alone among all appends to this transcript; afterwards it is read anew. */
  alone<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    return this.#oneAtATime.run(sessionId, async () => {
      try {
        return await work();
      } finally {
        this.forget(sessionId);
      }
    });
  }

  /** After a change behind our back (cut, archive, import): read it anew next time. */
  forget(sessionId: string): void {
    const cached = this.#cache.get(sessionId);
    if (!cached) return;
    this.#cache.delete(sessionId);
    this.#cachedBytes -= cached.bytes;
  }

  forgetAll(): void {
    this.#cache.clear();
    this.#cachedBytes = 0;
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
    const path = await this.path(sessionId, NEWEST_ENTRIES);
    const conversation = toConversation(path);
    const bytes = conversation.messages.reduce((sum, message) => sum + bytesOf(message), 0);
    const cached = { ...conversation, bytes };
    this.forget(sessionId);
    this.#cache.set(sessionId, cached);
    this.#cachedBytes += bytes;
    this.#evict(sessionId);
    return cached;
  }

  #remember(sessionId: string, bodies: readonly EntryBody[], entries: readonly { id: string; line: string }[]): void {
    const cached = this.#cache.get(sessionId);
    if (!cached) return;
    cached.leafId = entries.at(-1)?.id ?? cached.leafId;
    for (const [index, body] of bodies.entries()) {
      if (body.type !== "message") continue;
      const message = body["message"] as AgentMessage;
      cached.messages.push(message);
      cached.entryIds.push(entries[index]?.id ?? "");
      const bytes = bytesOf(message);
      cached.bytes += bytes;
      this.#cachedBytes += bytes;
    }
    this.#evict(sessionId);
  }

  #evict(keep: string): void {
    for (const sessionId of this.#cache.keys()) {
      if (this.#cachedBytes <= CACHE_BYTES) return;
      if (sessionId !== keep) this.forget(sessionId);
    }
  }
}

function isPlainKind(type: string): boolean {
  return type === "message" || SILENT_KINDS.has(type);
}

function bytesOf({ content }: AgentMessage): number {
  return MESSAGE_BYTES + (typeof content === "string" ? content : JSON.stringify(content)).length;
}
