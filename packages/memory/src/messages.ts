// Messages between the gateway and the memory keeper, a process of its own. Structured clones: vectors stay vectors.
import type { ErrorCode } from "@chela/sdk";
import type { ReadSlot } from "./learning/read-slots.ts";

/** Everything the keeper needs to know to keep the memory of one agent. */
export interface IndexSettings {
  readonly agentId: string;
  /** Of the index. */
  readonly path: string;
  readonly workspace: string;
  /** Absolute; files, or folders of notes. */
  readonly extraPaths: readonly string[];
  readonly sources: readonly MemorySource[];
  readonly chunking: { readonly tokens: number; readonly overlap: number };
  readonly embedding: EmbeddingChoice;
  readonly query: QuerySettings;
  /** Most vectors kept of texts that are not in the index any more. */
  readonly cacheEntries: number;
  /** Where the owner is: which day "tomorrow" is. Undefined: where this machine is. */
  readonly timeZone?: string;
}

export type MemorySource = "memory" | "sessions";

/** `remote` vectors are made by the gateway, which has the keys and the network. */
export type EmbeddingChoice =
  | { readonly kind: "none" }
  /** `modelFolder` has the files of the model for all languages, where the owner installed it. */
  | { readonly kind: "local"; readonly modelFolder?: string }
  | { readonly kind: "gguf"; readonly modelPath: string }
  | {
      readonly kind: "remote";
      readonly provider: string;
      readonly model: string;
      /** Tells accounts and endpoints apart without telling them. */
      readonly providerKey: string;
      /** Who takes over while it fails. */
      readonly fallsBackToLocal: boolean;
    };

export interface QuerySettings {
  readonly maxResults: number;
  readonly minScore: number;
  readonly isHybrid: boolean;
  readonly vectorWeight: number;
  readonly textWeight: number;
  readonly candidateMultiplier: number;
  /** Undefined: off. */
  readonly mmrLambda?: number;
  readonly halfLifeDays?: number;
}

/** Something a person or the agent said, out of the ledger. */
export interface FedEntry {
  readonly seq: number;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly entryId: string;
  readonly at: number;
  readonly role: "user" | "assistant";
  /** As people see it, without known secrets. */
  readonly text: string;
  /** The person behind it, where somebody wrote down who that is. */
  readonly person?: string;
  /** The owner's own words, in a conversation nobody else takes part in: only these may reach a prompt. */
  readonly isOwner: boolean;
  /** What tools told the agent before it said this: saying it again teaches nothing. */
  readonly heard?: string;
}

/** How far the keeper has come in the ledger; the id tells whether it is still the same ledger. */
export interface FeedMark {
  readonly seq: number;
  readonly entryId: string;
}

export interface SearchWish {
  readonly query: string;
  readonly maxResults?: number;
  readonly minScore?: number;
  readonly sources?: readonly MemorySource[];
  /** Sessions whose words may be shown; undefined: all of them. */
  readonly sessionKeys?: readonly string[];
}

export interface FoundChunk {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly textScore?: number;
  readonly vectorScore?: number;
  readonly snippet: string;
  readonly source: MemorySource;
  readonly sessionKey?: string;
  readonly entryId?: string;
  readonly at?: number;
}

export interface SearchAnswer {
  readonly results: readonly FoundChunk[];
  readonly provider: string;
  readonly model: string;
  readonly mode: "hybrid" | "text";
  readonly notice?: string;
  readonly indexing?: Progress;
}

export interface Progress {
  readonly phase: "text" | "vectors" | "learning";
  readonly done: number;
  readonly of: number;
}

export interface SyncAnswer {
  readonly files: number;
  /** Those that were looked into, and of these, those that said something else than before. */
  readonly read: number;
  readonly changed: number;
  readonly removed: number;
  readonly chunks: number;
  readonly notes: readonly string[];
}

/** How much of the notes is in a language, such as "de". */
export interface LanguageShare {
  readonly language: string;
  readonly share: number;
}

export interface IndexStatus {
  readonly provider: string;
  readonly model: string;
  readonly fallback?: { readonly provider: string; readonly model: string; readonly why: string };
  readonly mode: "hybrid" | "text";
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly dimensions?: number;
  /** Languages of the notes, as far as they can be told; the most frequent first. */
  readonly languages: readonly LanguageShare[];
  /** Which of them the model that makes vectors reads; undefined where nobody knows. */
  readonly reads?: "en" | "all";
  readonly bytes: number;
  readonly syncedAt?: number;
  readonly isIndexing: boolean;
  readonly progress?: Progress;
  readonly notes: readonly string[];
  /** `seq` is how far it has come in the ledger. */
  readonly learned: {
    readonly entries: number;
    readonly seq: number;
    readonly episodes: number;
    readonly facts: number;
  };
  readonly cache: { readonly entries: number; readonly most: number };
}

export const FACT_KINDS = ["entity", "topic", "decision", "preference", "date"] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  readonly subject: string;
  readonly text: string;
  readonly confidence: number;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly entryId: string;
  readonly role: "user" | "assistant";
  readonly person?: string;
  readonly at: number;
  readonly day?: string;
  readonly isInPrompt: boolean;
  /** Who found it in what was said. */
  readonly by: "rules" | "model";
}

export interface FactWish {
  readonly subject?: string;
  readonly person?: string;
  readonly sessionKey?: string;
  readonly kind?: FactKind;
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

/** A part of a conversation that is over, has the owner's words in it, and was read by no model. */
export interface UnreadEpisode {
  readonly id: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly startSeq: number;
  readonly endSeq: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface ReadingState {
  readonly next?: UnreadEpisode;
  /** When the next one that still goes on will be over, if nothing more is said. */
  readonly nextAt?: number;
  /** Episodes. */
  readonly read: number;
  readonly waiting: number;
}

/** What a model says it read in an entry. Nothing of it counts that does not stand there. */
export interface ToldFact {
  readonly entryId: string;
  readonly quote: string;
  readonly slot: ReadSlot;
  /** Undefined: the speaker. */
  readonly subject?: string;
  readonly value: string;
  readonly confidence: number;
}

export interface Subject {
  readonly subject: string;
  readonly kinds: readonly FactKind[];
  readonly facts: number;
  readonly lastAt: number;
}

export type ForgetWish =
  | { readonly kind: "fact"; readonly id: string }
  | { readonly kind: "subject"; readonly subject: string }
  | { readonly kind: "person"; readonly person: string }
  | { readonly kind: "session"; readonly sessionKey: string };

export interface Forgotten {
  readonly facts: number;
  readonly episodes: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly summaries: number;
}

export interface Finding {
  readonly what: string;
  readonly fix: string;
  readonly isRepaired: boolean;
}

export interface IndexedNote {
  readonly path: string;
  readonly size: number;
  readonly updatedAtMs: number;
  readonly chunks: number;
}

/** Every question the keeper answers: what is asked, and what comes back. All but `close` are about one agent. */
export interface KeeperCalls {
  /** Opens the index, or takes over changed settings; asked before anything else. */
  configure: { readonly asks: IndexSettings; readonly gives: IndexStatus };
  status: { readonly asks: AgentOnly; readonly gives: IndexStatus };
  /** Has a few words turned into a vector; `why` says what is in the way. */
  tryEmbedding: { readonly asks: AgentOnly; readonly gives: { readonly why?: string } };
  search: { readonly asks: AgentOnly & SearchWish; readonly gives: SearchAnswer };
  /** Reads changed notes in; words are there when it answers, vectors follow. */
  sync: { readonly asks: AgentOnly & { readonly isForced: boolean }; readonly gives: SyncAnswer };
  rebuild: { readonly asks: AgentOnly & { readonly what: "all" | "notes" | "learned" }; readonly gives: undefined };
  check: { readonly asks: AgentOnly & { readonly repairs: boolean }; readonly gives: readonly Finding[] };
  notes: { readonly asks: AgentOnly; readonly gives: readonly IndexedNote[] };
  feedMark: { readonly asks: AgentOnly; readonly gives: FeedMark };
  /**
   * Committed together with what was derived of the entries; `mark` is where to go on. `isAnew`: all before is void.
   * Nothing is done when memory is not `after` that place any more.
   */
  feed: {
    readonly asks: AgentOnly & {
      readonly after: number;
      readonly entries: readonly FedEntry[];
      readonly mark: FeedMark;
      readonly isAnew: boolean;
    };
    readonly gives: FeedMark;
  };
  /** `now` is the gateway's. */
  reading: { readonly asks: AgentOnly & { readonly now: number }; readonly gives: ReadingState };
  /** What of each entry a model may see, without what was forgotten and what is secret; "" when that is nothing. */
  readable: { readonly asks: AgentOnly & { readonly entries: readonly FedEntry[] }; readonly gives: readonly string[] };
  /** Committed together with the mark that it was read; `facts` are how many stand in what was said. */
  keepRead: {
    readonly asks: AgentOnly & {
      readonly episode: UnreadEpisode;
      readonly entries: readonly FedEntry[];
      readonly told: readonly ToldFact[];
    };
    readonly gives: { readonly facts: number };
  };
  facts: {
    readonly asks: AgentOnly & FactWish;
    readonly gives: { readonly facts: readonly Fact[]; readonly total: number };
  };
  subjects: {
    readonly asks: AgentOnly & { readonly search?: string; readonly limit: number };
    readonly gives: readonly Subject[];
  };
  /** `sessionIds` are the conversations it was made from. */
  block: {
    readonly asks: AgentOnly & { readonly mostChars: number };
    readonly gives: { readonly text: string; readonly sessionIds: readonly string[] };
  };
  /** All conversations that are gone: what they taught is taken out, and they are not learned from. */
  leaveOut: {
    readonly asks: AgentOnly & { readonly sessionIds: readonly string[] };
    /** `back`: one of them is there again, and all is learned anew. */
    readonly gives: { readonly change: "same" | "gone" | "back" };
  };
  /**
   * What was said until `at` is forgotten, also what is not fed yet. `tombs` are hashes of all that was ever forgotten,
   * for whoever keeps them where they are safe.
   */
  forget: {
    readonly asks: AgentOnly & { readonly what: ForgetWish; readonly at: number; readonly mostChars: number };
    /** With the block as it is without that. */
    readonly gives: {
      readonly forgotten: Forgotten;
      readonly tombs: string;
      readonly block: KeeperCalls["block"]["gives"];
    };
  };
  /** Before an index that is new, or was made anew, is fed. */
  restoreForgotten: { readonly asks: AgentOnly & { readonly tombs: string }; readonly gives: undefined };
  /** Closes the file; asked for again, it is opened again. */
  release: { readonly asks: AgentOnly; readonly gives: undefined };
  close: { readonly asks: Record<string, never>; readonly gives: undefined };
}

export interface AgentOnly {
  readonly agentId: string;
}

export type KeeperCall = keyof KeeperCalls;

/** From the gateway. */
export type ToKeeper =
  | { readonly kind: "call"; readonly id: number; readonly name: KeeperCall; readonly asks: unknown }
  | { readonly kind: "embedded"; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: "not-embedded"; readonly id: number; readonly why: string; readonly retryAfterMs?: number };

/** From the keeper. `embed` asks the gateway for vectors of a remote model. */
export type FromKeeper =
  | { readonly kind: "ready" }
  | { readonly kind: "gave"; readonly id: number; readonly gives: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly code: ErrorCode; readonly detail: string }
  | { readonly kind: "progress"; readonly agentId: string; readonly progress: Progress }
  | { readonly kind: "log"; readonly level: "info" | "warn"; readonly message: string; readonly fields: object }
  | {
      readonly kind: "embed";
      readonly id: number;
      readonly agentId: string;
      readonly texts: readonly string[];
      readonly purpose: "query" | "document";
    };
