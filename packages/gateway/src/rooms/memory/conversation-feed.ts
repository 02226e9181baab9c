// Feeds what was said, out of the ledger and in its order, to the memories it belongs to; a little at a time, when it is quiet.
import type { Clock, HistoryEntry, Ledger, Logger } from "@chela/sdk";
import { HeardFromTools, type HeardReader } from "./heard-from-tools.ts";
import type { KeeperProcess } from "./keeper-process.ts";
import type { FedEntry, FeedMark, Progress } from "@chela/memory";

/** What of an entry may be remembered; undefined for tool results, notes, and what nobody said. */
export type SaidReader = (entry: HistoryEntry) => FedEntry | undefined;

export interface ConversationFeedParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "history" | "newestSeq" | "branch">;
  readonly readSaid: SaidReader;
  readonly readHeard: HeardReader;
  readonly keeper: Pick<KeeperProcess, "ask">;
  isBusy(): boolean;
  agentIds(): readonly string[];
  /** What was ever forgotten, as hashes; undefined when that is nothing. */
  forgotten(agentId: string): Promise<string | undefined>;
  /** What was learned in conversations that were deleted is taken out; of an index that is new, in any case. */
  leaveOutDeleted(agentId: string, isNew: boolean): Promise<void>;
  /** Something was learned, and nothing is left: what is known in between, while all is learned anew, is too little to be told. */
  fed(agentId: string): Promise<void>;
  progressed(agentId: string, progress: Progress): void;
}

/**
 * Nobody is in a hurry to be remembered, and a search catches up by itself: a process is not started, and its index not
 * opened, folded and closed, for every few messages of a talk that goes on.
 */
const QUIET_MS = 20_000;
/** A talk without a pause is heard, too. */
const LATEST_MS = 120_000;
const BUSY_MS = 1_000;
const RETRY_MS = 60_000;
const ENTRIES_AT_ONCE = 200;
/** Asked for by a search: as many steps as nobody notices. */
const STEPS_BEFORE_SEARCH = 3;

export class ConversationFeed {
  readonly #parts: ConversationFeedParts;
  /** Agents that learned nothing since others were told of it. */
  readonly #told = new Set<string>();
  /** By agent, one at a time. */
  readonly #feeding = new Map<string, Promise<unknown>>();
  #cancel: (() => void) | undefined;
  /** When the oldest was said that waits for the talk to pause; undefined when nothing does. */
  #waitsSince: number | undefined;
  #isClosed = false;

  constructor(parts: ConversationFeedParts) {
    this.#parts = parts;
  }

  /** Something was said. */
  wake(): void {
    if (this.#cancel && this.#waitsSince === undefined) return;
    const now = this.#parts.clock.steady();
    const since = this.#waitsSince ?? now;
    this.#plan(Math.max(0, Math.min(QUIET_MS, since + LATEST_MS - now)));
    this.#waitsSince = since;
  }

  wakeNow(): void {
    this.#plan(0);
  }

  /**
   * What was said a moment ago is known to the search that comes now; older things follow behind. True when nothing is
   * left.
   */
  async catchUp(agentId: string): Promise<boolean> {
    if (!this.#parts.agentIds().includes(agentId)) return false;
    try {
      const isDone = await this.#feedSome(agentId, STEPS_BEFORE_SEARCH);
      if (!isDone) this.#plan(BUSY_MS);
      return isDone;
    } catch (error) {
      this.#parts.log.warn("what was said last could not be fed to memory", { agentId, error: String(error) });
      return false;
    }
  }

  /** Nothing of this agent is under way any more. */
  async settled(agentId: string): Promise<void> {
    await this.#feeding.get(agentId)?.catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await Promise.allSettled(this.#feeding.values());
  }

  #plan(ms: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waitsSince = undefined;
    if (this.#isClosed) return;
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#cancel = undefined;
      this.#waitsSince = undefined;
      void this.#feedAll();
    });
  }

  async #feedAll(): Promise<void> {
    if (this.#parts.isBusy()) return this.#plan(BUSY_MS);
    try {
      for (const agentId of this.#parts.agentIds()) {
        if (this.#isClosed) return;
        if (!(await this.#feedSome(agentId, 1))) this.#plan(0);
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#parts.log.warn("conversations could not be fed to memory; it is tried again", { error: String(error) });
      this.#plan(RETRY_MS);
    }
  }

  /** True when there is nothing left. */
  async #feedSome(agentId: string, steps: number): Promise<boolean> {
    const before = this.#feeding.get(agentId) ?? Promise.resolve();
    const feeding = before.catch(() => {}).then(() => this.#takeSteps(agentId, steps));
    this.#feeding.set(agentId, feeding);
    try {
      return await feeding;
    } finally {
      if (this.#feeding.get(agentId) === feeding) this.#feeding.delete(agentId);
    }
  }

  async #takeSteps(agentId: string, steps: number): Promise<boolean> {
    const { keeper, ledger, progressed } = this.#parts;
    let { mark, isAnew } = await this.#begin(agentId);
    let isDone = false;
    for (let step = 0; step < steps && !isDone && !this.#isClosed; step += 1) {
      const history = await ledger.history(mark.seq, ENTRIES_AT_ONCE);
      const last = history.at(-1);
      if (!last) {
        isDone = true;
        break;
      }
      const entries = await this.#read(history.filter((entry) => entry.agentId === agentId));
      mark = await keeper.ask("feed", { agentId, after: mark.seq, entries, mark: markOf(last), isAnew });
      isAnew = false;
      if (entries.length > 0) this.#told.delete(agentId);
      isDone = history.length < ENTRIES_AT_ONCE && mark.seq >= last.seq;
      progressed(agentId, { phase: "learning", done: mark.seq, of: Math.max(mark.seq, await ledger.newestSeq()) });
    }
    if (isDone && !this.#told.has(agentId)) {
      await this.#parts.fed(agentId);
      this.#told.add(agentId);
    }
    return isDone;
  }

  async #read(history: readonly HistoryEntry[]): Promise<FedEntry[]> {
    const tools = new HeardFromTools(this.#parts.ledger, this.#parts.readHeard);
    const entries: FedEntry[] = [];
    for (const entry of history) {
      const said = this.#parts.readSaid(entry);
      tools.pass(entry);
      if (!said) continue;
      const heard = said.role === "assistant" ? await tools.before(entry, said.entryId) : undefined;
      entries.push(heard === undefined ? said : { ...said, heard });
    }
    return entries;
  }

  /** A ledger that was rebuilt numbers its entries anew, so everything is learned again. */
  async #begin(agentId: string): Promise<{ mark: FeedMark; isAnew: boolean }> {
    const { keeper, ledger } = this.#parts;
    await this.#parts.leaveOutDeleted(agentId, false);
    const mark = await keeper.ask("feedMark", { agentId });
    if (mark.seq === 0) {
      await this.#parts.leaveOutDeleted(agentId, true);
      const tombs = await this.#parts.forgotten(agentId);
      if (tombs !== undefined) await keeper.ask("restoreForgotten", { agentId, tombs });
      return { mark, isAnew: false };
    }
    const [last] = await ledger.history(mark.seq - 1, 1);
    const isSame = last !== undefined && last.seq === mark.seq && markOf(last).entryId === mark.entryId;
    return isSame ? { mark, isAnew: false } : { mark: { seq: 0, entryId: "" }, isAnew: true };
  }
}

function markOf({ seq, sessionId, line }: HistoryEntry): FeedMark {
  const { id } = JSON.parse(line) as { id?: unknown };
  return { seq, entryId: `${sessionId}/${String(id)}` };
}
