// Searches the chunks by meaning and by words, and puts what both find into one order.
import { defined } from "@chela/sdk/base";
import { GatewayError, type Clock } from "@chela/sdk";
import type { QueryVector } from "../../embedder.ts";
import type { FoundChunk, IndexSettings, SearchAnswer, SearchWish } from "../../messages.ts";
import type { SpaceAsker, EmbeddedQuery } from "../spaces/ask-spaces.ts";
import type { ChunkRow, ChunkTable } from "../notes/chunk-table.ts";
import { chooseSnippet } from "./choose-snippet.ts";
import { isDamage } from "../store/damaged-file.ts";
import { decayOf, timeOf } from "./decay.ts";
import { diversify } from "./diversify.ts";
import { fuseScores, type Scored } from "./fuse-scores.ts";
import type { Store } from "../store/opened-store.ts";
import type { ChunkFilter, WordSearch } from "./word-search.ts";
import { wordsOfQuery } from "./words-to-find.ts";

export interface IndexSearchParts {
  readonly store: Store;
  readonly chunks: ChunkTable;
  readonly words: WordSearch;
  readonly asker: SpaceAsker;
  /** Looks which languages the notes are in: their words are found in other forms. */
  look(): Promise<void>;
  readonly settings: IndexSettings;
  readonly clock: Clock;
  /** The file turned out to be damaged. */
  damaged(error: unknown): void;
}

/** What others found, the best first: facts, say. */
export type More = (asked: { vector?: QueryVector; minScore: number }) => readonly FoundChunk[];

const MOST_RESULTS = 100;
const LEAST_CANDIDATES = 16;
const MOST_CANDIDATES = 400;
/** Also those that were found by their vectors are looked up among so many, for what their words are worth. */
const WORD_HITS = 200;

export class IndexSearch {
  readonly #parts: IndexSearchParts;

  constructor(parts: IndexSearchParts) {
    this.#parts = parts;
  }

  async search(wish: SearchWish, more: More | undefined): Promise<Omit<SearchAnswer, "indexing">> {
    const { settings, asker } = this.#parts;
    const limit = Math.min(MOST_RESULTS, Math.max(1, wish.maxResults ?? settings.query.maxResults));
    const isEmpty = this.#parts.chunks.count === 0 && !more;
    const [{ answer, notice }] = isEmpty ? [{}] : await Promise.all([asker.ask(wish.query), this.#parts.look()]);
    const words = wordsOfQuery(wish.query);
    const minScore = wish.minScore ?? settings.query.minScore;
    const candidates = this.#find(wish, words, answer, limit).filter(({ score }) => score >= minScore);
    const others = more?.({ minScore, ...(answer ? { vector: toQueryVector(answer) } : {}) }) ?? [];
    const results = this.#choose(this.#bestFirst(candidates, others, words), limit);
    const { provider = "none", model = "" } = answer?.space.embedder ?? {};
    return { results, provider, model, mode: answer ? "hybrid" : "text", ...defined({ notice }) };
  }

  #find(wish: SearchWish, words: readonly string[], asked: EmbeddedQuery["answer"], limit: number): Scored[] {
    const { settings } = this.#parts;
    const { candidateMultiplier, isHybrid } = settings.query;
    const most = Math.min(MOST_CANDIDATES, Math.max(LEAST_CANDIDATES, Math.ceil(limit * candidateMultiplier)));
    const filter = this.#filter(wish);
    const failures: unknown[] = [];
    const guard = <T>(find: () => T, otherwise: T): T => {
      try {
        return find();
      } catch (error) {
        if (!isDamage(error)) throw error;
        failures.push(error);
        this.#parts.damaged(error);
        return otherwise;
      }
    };
    const byWords = asked && !isHybrid ? [] : guard(() => this.#parts.words.find(words, filter, WORD_HITS), []);
    const byVector = asked ? guard(() => this.#near(asked, filter, most), []) : [];
    if (failures.length > 0 && byWords.length === 0 && byVector.length === 0) {
      throw new GatewayError("MEMORY_UNAVAILABLE", "the index is damaged and has to be made anew", {
        cause: failures[0],
      });
    }
    const text = new Map(byWords.map((hit) => [hit.number, hit]));
    const vector = new Map(byVector.map(({ id, score }) => [id, score]));
    const bestByWords = byWords.slice(0, most).map(({ number }) => number);
    const onlyByWords = bestByWords.filter((number) => !vector.has(number));
    const others = asked ? guard(() => asked.space.compare(asked.vector, onlyByWords), []) : [];
    for (const { id, score } of others) vector.set(id, score);
    const candidates = Array.from(new Set([...vector.keys(), ...bestByWords]), (id): Scored => {
      const near = vector.get(id);
      const { share, relative = 0 } = text.get(id) ?? {};
      const scores = {
        ...defined({ vector: near, text: share }),
      };
      // Without vectors the best match is what there is: it is never below the least score.
      return { id, scores, score: asked ? fuseScores(scores, settings.query) : relative };
    });
    return candidates.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, most);
  }

  #near({ space, vector }: NonNullable<EmbeddedQuery["answer"]>, filter: ChunkFilter | undefined, most: number) {
    return space.search(vector, most, filter && this.#parts.words.accepts(filter));
  }

  /** Undefined when everything may be found, which is faster. */
  #filter({ sources, sessionKeys }: SearchWish): ChunkFilter | undefined {
    const wanted = sources ?? this.#parts.settings.sources;
    const row = this.#parts.store.statement("SELECT EXISTS (SELECT 1 FROM said) AS said").get();
    if (Number(row?.["said"]) === 0 && wanted.includes("memory")) return undefined;
    if (wanted.length === 2 && sessionKeys === undefined) return undefined;
    return { sources: wanted, ...defined({ sessionKeys }) };
  }

  /** Looked up as they are asked for: most are candidates only. */
  *#bestFirst(
    candidates: readonly Scored[],
    others: readonly FoundChunk[],
    words: readonly string[],
  ): Generator<FoundChunk> {
    const waiting = [...others];
    for (const candidate of candidates) {
      while (waiting[0] && waiting[0].score > candidate.score) yield* waiting.splice(0, 1);
      yield* this.#show(candidate, words);
    }
    yield* waiting;
  }

  #show({ id, scores: { vector, text }, score }: Scored, words: readonly string[]): FoundChunk[] {
    const chunk = this.#parts.chunks.get(id);
    if (!chunk) return [];
    const { path, startLine, endLine, source } = chunk;
    const snippet = chooseSnippet(chunk.text, words);
    return [
      {
        path,
        startLine,
        endLine,
        score,
        ...defined({ textScore: text }),
        ...(vector === undefined ? {} : { vectorScore: Math.min(1, Math.max(0, vector)) }),
        snippet: snippet.text,
        source,
        ...(source === "sessions" ? this.#whereSaid(chunk, snippet.line) : {}),
      },
    ];
  }

  /** The conversation, and the message in which the best part begins. */
  #whereSaid({ number }: ChunkRow, line: number): Pick<FoundChunk, "sessionKey" | "entryId" | "at"> {
    const row = this.#parts.store.statement("SELECT session_key, entries, at FROM said WHERE number = ?").get(number);
    if (!row) return {};
    const entries = String(row["entries"]).split(" ");
    const entryId = entries[line] ?? entries[0] ?? "";
    return { sessionKey: String(row["session_key"]), entryId, at: Number(row["at"]) };
  }

  /** Age changes the order only: what is relevant enough is not lost for being old. */
  #choose(bestFirst: Iterable<FoundChunk>, limit: number): FoundChunk[] {
    const { halfLifeDays, mmrLambda } = this.#parts.settings.query;
    const aged = halfLifeDays === undefined ? bestFirst : this.#age([...bestFirst], halfLifeDays);
    if (mmrLambda === undefined) return withoutRepeats(aged, limit);
    return diversify(withoutRepeats(aged, Infinity), mmrLambda, limit);
  }

  #age(found: readonly FoundChunk[], halfLifeDays: number): FoundChunk[] {
    const now = this.#parts.clock.now();
    return found
      .map((one) => ({ ...one, score: one.score * decayOf(this.#ageOf(one), now, halfLifeDays) }))
      .sort((a, b) => b.score - a.score);
  }

  #ageOf({ path, at }: FoundChunk): number | undefined {
    if (at !== undefined) return at;
    const row = this.#parts.store.statement("SELECT mtime FROM files WHERE path = ?").get(path);
    return timeOf(path, row ? Number(row["mtime"]) : undefined);
  }
}

function toQueryVector({ space, vector }: NonNullable<EmbeddedQuery["answer"]>): QueryVector {
  const { bias } = space.embedder;
  return { space: space.name, vector, ...defined({ bias }) };
}

/** A fact and the chunk it comes from, or two parts of one message: the better one stays. */
function withoutRepeats(bestFirst: Iterable<FoundChunk>, most: number): FoundChunk[] {
  const kept: FoundChunk[] = [];
  for (const one of bestFirst) {
    if (!kept.some((other) => other.path === one.path && isSame(one, other))) kept.push(one);
    if (kept.length >= most) break;
  }
  return kept;
}

function isSame(one: FoundChunk, other: FoundChunk): boolean {
  if (one.entryId !== undefined && one.entryId === other.entryId) return true;
  return other.snippet.includes(one.snippet) || one.snippet.includes(other.snippet);
}
