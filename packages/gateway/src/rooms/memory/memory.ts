// Memory of agents, as the gateway sees it: notes that are watched, conversations that are fed, and one keeper for all.
import { existsSync } from "node:fs";
import { GatewayError, type Logger } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { ConversationFeed, type SaidReader } from "./conversation-feed.ts";
import type { HeardReader } from "./heard-from-tools.ts";
import { DeletedSessions } from "./deleted-sessions.ts";
import { deletionsMark } from "./deletions-mark.ts";
import { KeeperProcess } from "./keeper-process.ts";
import type {
  FactWish,
  Finding,
  ForgetWish,
  Forgotten,
  IndexSettings,
  IndexStatus,
  KeeperCalls,
  Progress,
  SearchAnswer,
  SearchWish,
  SyncAnswer,
} from "@chela/memory";
import { LearnedBlocks, readBlock } from "./learned-block.ts";
import { DELETIONS_KEY, TOMBS_KEY } from "./ledger-keys.ts";
import { ModelReading, type ModelReadingParts, type ReadingStatus } from "./model-reading.ts";
import { NotesInIndex } from "./notes-in-index.ts";
import { Notes } from "./notes.ts";
import { forgetAgent } from "./removed-agent.ts";
import type { MemorySettings } from "./settings.ts";

/** What of the house memory lives on. */
type MemoryHouse = Pick<House, "agents" | "clock" | "ledger"> & {
  /** `redact` takes known secrets out of a text: people note them down, too. */
  readonly log: Logger & Pick<House["log"], "redact">;
  /** While somebody is being answered, what can wait, waits. */
  readonly lanes: Pick<House["lanes"], "running">;
  readonly changes: Pick<House["changes"], "note">;
};

/** What others know of settings, of what was said and told, and of models. */
export interface MemoryParts {
  settings(agentId: string): MemorySettings;
  readonly readSaid: SaidReader;
  readonly readHeard: HeardReader;
  embed(agentId: string, texts: readonly string[], purpose: "query" | "document"): Promise<readonly Float32Array[]>;
  /** A model that reads conversations, where the owner named one. Never rejects. */
  readonly askModel: ModelReadingParts["askModel"];
  readonly dayOf: ModelReadingParts["dayOf"];
  progressed(agentId: string, progress: Progress): void;
}

export interface AgentMemoryStatus extends IndexStatus {
  readonly agentId: string;
  readonly isOn: boolean;
  readonly settings: IndexSettings;
  /** How many entries of the ledger there are to learn from. */
  readonly of: number;
  /** Where a model reads conversations. */
  readonly reading?: ReadingStatus;
}

/** Enough for what matters of a person, and a small part of any prompt. */
export const BLOCK_CHARS = 3_000;

export class Memory {
  readonly #house: MemoryHouse;
  readonly #parts: MemoryParts;
  readonly #keeper: KeeperProcess;
  readonly #feed: ConversationFeed;
  readonly #deleted: DeletedSessions;
  readonly #blocks: LearnedBlocks;
  readonly #reading: ModelReading;
  readonly #notes: NotesInIndex;
  readonly #leave: () => void;

  constructor(house: MemoryHouse, parts: MemoryParts) {
    const { clock, log, ledger, lanes } = house;
    const isBusy = () => lanes.running > 0;
    this.#house = house;
    this.#parts = parts;
    this.#keeper = new KeeperProcess({
      clock,
      log,
      settings: (agentId) => parts.settings(agentId).index,
      embed: parts.embed,
      progressed: (agentId, progress) => this.#progressed(agentId, progress),
    });
    this.#deleted = new DeletedSessions({ ledger, keeper: this.#keeper });
    this.#blocks = new LearnedBlocks({
      ledger,
      make: async (agentId) => this.#redacted(await this.#keeper.ask("block", { agentId, mostChars: BLOCK_CHARS })),
    });
    this.#feed = new ConversationFeed({
      clock,
      log,
      ledger,
      readSaid: parts.readSaid,
      readHeard: parts.readHeard,
      isBusy,
      keeper: this.#keeper,
      agentIds: () => this.#agentIds().filter((id) => this.#isLearning(id)),
      fed: async (agentId) => {
        await this.#learned(agentId);
        this.#reading.wake();
      },
      forgotten: (agentId) => this.#tombs(agentId),
      leaveOutDeleted: (agentId, isNew) => this.#leaveOutDeleted(agentId, isNew),
      progressed: (agentId, progress) => parts.progressed(agentId, progress),
    });
    this.#reading = new ModelReading({
      clock,
      log,
      ledger,
      readSaid: parts.readSaid,
      isBusy,
      keeper: this.#keeper,
      agentIds: () => this.#agentIds(),
      reads: (agentId) => (this.#isLearning(agentId) ? parts.settings(agentId).reads : undefined),
      dayOf: parts.dayOf,
      askModel: parts.askModel,
      catchUp: (agentId) => this.#catchUp(agentId),
      learned: (agentId) => this.#learned(agentId),
    });
    // Something may be left from before.
    this.#reading.wake();
    this.#notes = new NotesInIndex({
      clock,
      log,
      keeper: this.#keeper,
      settings: parts.settings,
      isThere: (agentId) => this.#isThere(agentId),
      changed: () => this.#changed(),
    });
    this.#leave = ledger.onCommit(({ commits }) => {
      if (commits.flat().some(({ kind }) => kind === "entries-append")) this.#feed.wake();
    });
  }

  async search(agentId: string, wish: SearchWish): Promise<SearchAnswer> {
    this.#refuseOff(agentId);
    if (this.#parts.settings(agentId).syncsOnSearch) await this.#notes.readInSoon(agentId);
    await this.#catchUp(agentId);
    const { results, ...answer } = await this.#keeper.ask("search", { agentId, ...wish });
    return { ...answer, results: results.map((one) => ({ ...one, snippet: this.#house.log.redact(one.snippet) })) };
  }

  async sync(agentId: string, isForced: boolean): Promise<SyncAnswer> {
    this.#refuseOff(agentId);
    const answer = await this.#keeper.ask("sync", { agentId, isForced });
    this.#changed();
    return answer;
  }

  /** Something was said before anybody listened. */
  learnSoon(): void {
    this.#feed.wakeNow();
  }

  /** Words of notes that were just written are found at once. */
  async notesWritten(agentId: string): Promise<void> {
    if (this.#parts.settings(agentId).isOn) await this.sync(agentId, false);
  }

  async status(agentId: string): Promise<AgentMemoryStatus> {
    const { isOn, index } = this.#parts.settings(agentId);
    const of = await this.#house.ledger.newestSeq();
    if (isOn) await this.#notes.readInFirstSoon(agentId);
    const reading = await this.#reading.status(agentId);
    const status = { ...(await this.#keeper.ask("status", { agentId })), agentId, isOn, settings: index, of };
    return reading ? { ...status, reading } : status;
  }

  /** Why no vectors can be made; undefined when they can. */
  async tryEmbedding(agentId: string): Promise<string | undefined> {
    return (await this.#keeper.ask("tryEmbedding", { agentId })).why;
  }

  async rebuild(agentId: string, what: "all" | "notes" | "learned"): Promise<void> {
    this.#refuseOff(agentId);
    await this.#keeper.ask("rebuild", { agentId, what });
    if (what !== "learned") void this.#notes.readIn(agentId);
    if (what !== "notes") this.#feed.wakeNow();
  }

  async check(agentId: string, repairs: boolean): Promise<readonly Finding[]> {
    return this.#keeper.ask("check", { agentId, repairs });
  }

  workspace(agentId: string): string {
    return this.#parts.settings(agentId).index.workspace;
  }

  notes(agentId: string): Notes {
    const { index } = this.#parts.settings(agentId);
    return new Notes({
      workspace: index.workspace,
      extraPaths: index.extraPaths,
      indexed: async () => {
        await this.#notes.readInFirst(agentId);
        return this.#keeper.ask("notes", { agentId });
      },
    });
  }

  async facts(agentId: string, wish: FactWish): Promise<KeeperCalls["facts"]["gives"]> {
    await this.#catchUp(agentId);
    const { facts, total } = await this.#keeper.ask("facts", { agentId, ...wish });
    return { facts: facts.map((fact) => ({ ...fact, text: this.#house.log.redact(fact.text) })), total };
  }

  async subjects(
    agentId: string,
    wish: { readonly search?: string; readonly limit: number },
  ): Promise<KeeperCalls["subjects"]["gives"]> {
    await this.#catchUp(agentId);
    return this.#keeper.ask("subjects", { agentId, ...wish });
  }

  async forget(agentId: string, what: ForgetWish): Promise<Forgotten> {
    await this.#catchUp(agentId);
    // An index that was made anew may not know yet what was forgotten before: the new list would be without it.
    const before = await this.#tombs(agentId);
    if (before !== undefined) await this.#keeper.ask("restoreForgotten", { agentId, tombs: before });
    const { forgotten, tombs, block } = await this.#keeper.ask("forget", {
      agentId,
      what,
      at: this.#house.clock.now(),
      mostChars: BLOCK_CHARS,
    });
    // An index that is made anew, because its file was lost, must not learn it again; and whoever is told that it is
    // forgotten finds it in no prompt after that.
    await this.#blocks.keepForgotten(agentId, tombs, this.#redacted(block));
    this.#feed.wakeNow();
    this.#changed();
    return forgotten;
  }

  /** What was learned in conversations that were deleted leaves every memory there is, also one that is switched off. */
  async leaveOutDeleted(): Promise<void> {
    const { ledger } = this.#house;
    const mark = await deletionsMark(ledger);
    for (const agentId of this.#agentIds()) {
      if (existsSync(this.#parts.settings(agentId).index.path)) await this.#leaveOutDeleted(agentId, false);
    }
    await ledger.commit([{ kind: "value-put", key: DELETIONS_KEY, value: mark }]);
  }

  /** Kept in the ledger, so that a prompt need not wait for the keeper. */
  async block(agentId: string): Promise<string> {
    return (await readBlock(this.#house.ledger, agentId)).text;
  }

  /** A conversation begins, or goes on: its agent's notes are watched from now on. */
  used(agentId: string): void {
    this.#notes.follow(agentId);
  }

  async configured(): Promise<void> {
    this.#notes.followAnew();
    await this.#keeper.reconfigure((agentId) => this.#isThere(agentId));
    this.#reading.wake();
  }

  /** It is not configured any more. Nobody has its index open when this is done. */
  async agentRemoved(agentId: string): Promise<void> {
    await this.#feed.settled(agentId);
    this.#notes.removed(agentId);
    await this.#keeper.release(agentId);
    await forgetAgent(this.#house.ledger, agentId);
  }

  async close(): Promise<void> {
    this.#leave();
    this.#deleted.close();
    this.#notes.close();
    // They wait for the keeper's answers, and the keeper may be at something long.
    await Promise.all([this.#feed.close(), this.#reading.close(), this.#keeper.close()]);
  }

  /** Undefined also after an agent of this name was removed. */
  async #tombs(agentId: string): Promise<string | undefined> {
    return (await this.#house.ledger.value(`${TOMBS_KEY}${agentId}`)) || undefined;
  }

  #agentIds(): readonly string[] {
    return this.#house.agents().map(({ id }) => id);
  }

  #changed(): void {
    this.#house.changes.note("memory");
  }

  #isThere(agentId: string): boolean {
    return this.#agentIds().includes(agentId);
  }

  #isLearning(agentId: string): boolean {
    const { isOn, learns } = this.#parts.settings(agentId);
    return isOn && learns;
  }

  #refuseOff(agentId: string): void {
    if (this.#parts.settings(agentId).isOn) return;
    throw new GatewayError(
      "MEMORY_UNAVAILABLE",
      `memory is switched off for ${agentId}; set memorySearch.enabled to true`,
    );
  }

  /** Whoever asks is told nothing of what was deleted, and all that was said until now. */
  async #catchUp(agentId: string): Promise<boolean> {
    await this.#leaveOutDeleted(agentId, false);
    return this.#feed.catchUp(agentId);
  }

  async #leaveOutDeleted(agentId: string, isNew: boolean): Promise<void> {
    const change = await this.#deleted.leaveOut(agentId, isNew);
    if (change === "same") return;
    // What is learned anew is told when that is done.
    if (change === "gone") await this.#blocks.renew(agentId);
    this.#feed.wakeNow();
    this.#changed();
  }

  async #learned(agentId: string): Promise<void> {
    await this.#blocks.renew(agentId);
    this.#changed();
  }

  #redacted({ text, sessionIds }: KeeperCalls["block"]["gives"]): KeeperCalls["block"]["gives"] {
    return { text: this.#house.log.redact(text), sessionIds };
  }

  #progressed(agentId: string, progress: Progress): void {
    this.#parts.progressed(agentId, progress);
    if (progress.done >= progress.of) this.#changed();
  }
}
