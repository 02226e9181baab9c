// Has a model read what the owner said, one part of a conversation after the other, when it is quiet and within the day's tokens.
import { defined } from "@chela/sdk/base";
import { toGatewayError, type Change, type Clock, type Ledger, type Logger } from "@chela/sdk";
import type { SaidReader } from "./conversation-feed.ts";
import type { KeeperProcess } from "./keeper-process.ts";
import type { FedEntry, ToldFact, UnreadEpisode } from "@chela/memory";
import { MOST_ANSWER_TOKENS, READING_SYSTEM, readAnswer, writeQuestion } from "./reading-question.ts";
import type { MemorySettings } from "./settings.ts";
import { SpentTokens } from "./spent-tokens.ts";

export interface ModelQuestion {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  /** "provider/model" */
  readonly model: string;
  readonly system: string;
  readonly text: string;
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** `tokens` is undefined when nobody knows how many it took; `changes` belong into the ledger. */
export type ModelAnswer = { readonly tokens: number | undefined; readonly changes: readonly Change[] } & (
  | { readonly kind: "said"; readonly text: string }
  /** `isAboutText`: this text will not be answered, others may be. */
  | { readonly kind: "failed"; readonly why: string; readonly isAboutText: boolean }
);

export interface ModelReadingParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "entries" | "transcript" | "value" | "commit">;
  readonly keeper: Pick<KeeperProcess, "ask">;
  readonly readSaid: SaidReader;
  isBusy(): boolean;
  agentIds(): readonly string[];
  /** Undefined: nobody reads for this agent. */
  reads(agentId: string): MemorySettings["reads"];
  /** The day of a time where the owner is, as YYYY-MM-DD. */
  dayOf(agentId: string, at: number): string;
  /** Whether all that was said is learned, after trying to. */
  catchUp(agentId: string): Promise<boolean>;
  /** Never rejects. */
  askModel(question: ModelQuestion): Promise<ModelAnswer>;
  learned(agentId: string): Promise<void>;
}

export interface ReadingStatus {
  readonly model: string;
  readonly read: number;
  readonly waiting: number;
  readonly tokensToday: number;
  readonly maxTokensPerDay: number;
  readonly problem?: string;
}

type Step =
  | { readonly kind: "read" }
  | { readonly kind: "nothing"; readonly nextAt?: number }
  /** Not before the next day, or another budget. */
  | { readonly kind: "spent" }
  | { readonly kind: "failed"; readonly why: string };

interface Rest {
  readonly failures: number;
  readonly until: number;
  readonly why: string;
}

const SOON_MS = 1_000;
const BUSY_MS = 5_000;
const BEHIND_MS = 30_000;
/** How often it is looked whether a new day has begun. */
const LOOK_AGAIN_MS = 600_000;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 6 * 3_600_000;
const MOST_QUESTION_TOKENS = 16_000;
const ENTRIES_AT_ONCE = 200;
/** An answer that cannot be understood is asked for once more. */
const MOST_ASKS = 2;

export class ModelReading {
  readonly #parts: ModelReadingParts;
  readonly #spent: SpentTokens;
  readonly #rests = new Map<string, Rest>();
  /** Agents whose day's tokens are spent, with the day and the limit that say so. */
  readonly #spentOn = new Map<string, string>();
  readonly #stop = new AbortController();
  #cancel: (() => void) | undefined;
  #plannedAt = Infinity;
  #running: Promise<void> | undefined;

  constructor(parts: ModelReadingParts) {
    this.#parts = parts;
    this.#spent = new SpentTokens({ ledger: parts.ledger, today: (agentId) => this.#today(agentId) });
  }

  /** Something was learned, or the configuration is another one. */
  wake(): void {
    if (this.#agentIds().length > 0) this.#plan(SOON_MS);
  }

  /** Undefined where no model reads. */
  async status(agentId: string): Promise<ReadingStatus | undefined> {
    const reads = this.#parts.reads(agentId);
    if (!reads) return undefined;
    const { read, waiting } = await this.#parts.keeper.ask("reading", { agentId, now: this.#parts.clock.now() });
    const problem = this.#rests.get(agentId)?.why;
    const tokensToday = await this.#spent.today(agentId);
    return { ...reads, read, waiting, tokensToday, ...defined({ problem }) };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancel?.();
    await this.#running;
  }

  #agentIds(): readonly string[] {
    return this.#parts.agentIds().filter((agentId) => this.#parts.reads(agentId));
  }

  /** The soonest counts. */
  #plan(ms: number): void {
    const at = this.#parts.clock.steady() + ms;
    if (this.#stop.signal.aborted || at >= this.#plannedAt) return;
    this.#cancel?.();
    this.#plannedAt = at;
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#plannedAt = Infinity;
      if (this.#running) return this.#plan(BUSY_MS);
      this.#running = this.#readSome().finally(() => (this.#running = undefined));
    });
  }

  async #readSome(): Promise<void> {
    for (const agentId of this.#agentIds()) {
      if (this.#stop.signal.aborted) return;
      if (this.#parts.isBusy()) return this.#plan(BUSY_MS);
      const waitMs = await this.#readFor(agentId);
      if (waitMs !== undefined) this.#plan(waitMs);
    }
  }

  /** When to look again; undefined when only something new can make a difference. */
  async #readFor(agentId: string): Promise<number | undefined> {
    const { clock } = this.#parts;
    const rest = this.#rests.get(agentId);
    if (rest && rest.until > clock.steady()) return rest.until - clock.steady();
    if (this.#spentOn.get(agentId) === this.#limitOf(agentId)) return LOOK_AGAIN_MS;
    const step = await this.#readNext(agentId).catch((error: unknown): Step => ({
      kind: "failed",
      why: sayWhy(error),
    }));
    if (step.kind === "failed") return this.#restAfter(agentId, step.why);
    this.#rests.delete(agentId);
    switch (step.kind) {
      case "read":
        return SOON_MS;
      case "spent":
        this.#spentOn.set(agentId, this.#limitOf(agentId));
        return LOOK_AGAIN_MS;
      case "nothing":
        return step.nextAt === undefined ? undefined : Math.max(SOON_MS, step.nextAt - clock.now());
    }
  }

  #restAfter(agentId: string, why: string): number {
    if (this.#stop.signal.aborted) return LONGEST_REST_MS;
    const { clock, log } = this.#parts;
    const failures = (this.#rests.get(agentId)?.failures ?? 0) + 1;
    const ms = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
    this.#rests.set(agentId, { failures, until: clock.steady() + ms, why });
    log.warn("a conversation could not be read by a model; it is tried again", { agentId, why, afterMs: ms });
    return ms;
  }

  async #readNext(agentId: string): Promise<Step> {
    const { keeper, clock } = this.#parts;
    // What is still being learned only looks as if it was over, and would be paid for twice.
    if (!(await this.#parts.catchUp(agentId))) return { kind: "nothing", nextAt: clock.now() + BEHIND_MS };
    const { next: episode, nextAt } = await keeper.ask("reading", { agentId, now: clock.now() });
    if (!episode) return nextAt === undefined ? { kind: "nothing" } : { kind: "nothing", nextAt };
    const entries = await this.#entriesOf(agentId, episode);
    const told = await this.#askAbout(agentId, episode, entries);
    if ("kind" in told) return told;
    // An agent that was removed meanwhile has no memory to keep it in.
    if (!this.#agentIds().includes(agentId)) return { kind: "nothing" };
    await keeper.ask("keepRead", { agentId, episode, entries, told: told.facts });
    await this.#parts.learned(agentId);
    return { kind: "read" };
  }

  async #askAbout(
    agentId: string,
    { id, sessionKey }: UnreadEpisode,
    entries: readonly FedEntry[],
  ): Promise<Step | { readonly facts: readonly ToldFact[] }> {
    const { keeper, askModel } = this.#parts;
    const reads = this.#parts.reads(agentId);
    if (!reads) return { kind: "nothing" };
    const mostTokens = Math.min(MOST_QUESTION_TOKENS, reads.maxTokensPerDay);
    const dayOf = (at: number) => this.#parts.dayOf(agentId, at);
    const readable = await keeper.ask("readable", { agentId, entries });
    const question = writeQuestion(entries, readable, { mostTokens, dayOf });
    if (!question) {
      const isLeft = writeQuestion(entries, readable, { mostTokens: Infinity, dayOf }) !== undefined;
      return isLeft ? { kind: "failed", why: "memory.learning.maxTokensPerDay is too small to ask" } : { facts: [] };
    }
    for (let asked = 0; asked < MOST_ASKS; asked += 1) {
      if (!(await this.#spent.take(agentId, question.tokens, reads.maxTokensPerDay))) {
        return asked === 0 ? { kind: "spent" } : { facts: [] };
      }
      const answer = await askModel({
        agentId,
        sessionKey,
        runId: `memory:${id}`,
        model: reads.model,
        system: READING_SYSTEM,
        text: question.text,
        maxTokens: MOST_ANSWER_TOKENS,
        signal: this.#stop.signal,
      });
      await this.#spent.settle(agentId, { taken: question.tokens, really: answer.tokens }, answer.changes);
      if (answer.kind === "failed" && !answer.isAboutText) return { kind: "failed", why: answer.why };
      const facts = answer.kind === "said" ? readAnswer(answer.text, question) : undefined;
      if (facts) return { facts };
    }
    return { facts: [] };
  }

  async #entriesOf(agentId: string, { sessionKey, sessionId, startSeq, endSeq }: UnreadEpisode): Promise<FedEntry[]> {
    const said: FedEntry[] = [];
    // Whoever deleted a conversation does not want it sent anywhere.
    if ((await this.#parts.ledger.transcript(sessionId))?.archived?.reason === "deleted") return said;
    for (let afterSeq = startSeq - 1; afterSeq < endSeq;) {
      const entries = await this.#parts.ledger.entries(sessionId, { afterSeq, limit: ENTRIES_AT_ONCE, all: true });
      const last = entries.at(-1);
      if (!last) break;
      for (const { seq, line } of entries) {
        const entry = seq > endSeq ? undefined : this.#parts.readSaid({ seq, line, sessionId, sessionKey, agentId });
        if (entry) said.push(entry);
      }
      afterSeq = last.seq;
    }
    return said;
  }

  #today(agentId: string): string {
    return this.#parts.dayOf(agentId, this.#parts.clock.now());
  }

  #limitOf(agentId: string): string {
    return `${this.#today(agentId)} ${this.#parts.reads(agentId)?.maxTokensPerDay}`;
  }
}

function sayWhy(error: unknown): string {
  return toGatewayError(error, "MEMORY_UNAVAILABLE").detail;
}
