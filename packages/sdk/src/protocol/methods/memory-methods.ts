// Methods for memory: notes, their index, what was learned from conversations, and forgetting.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { MemoryProgress } from "../memory-event.ts";
import { count, flag, SessionKeyParam, text, type MethodSpec } from "./method-spec.ts";

/** The default agent when it is left out. */
const agent = () => NonEmpty().max(64).optional();
const NotePath = () => NonEmpty().max(1024);

const MEMORY_FACT_KINDS = ["entity", "topic", "decision", "preference", "date"] as const;

const MemoryHit = once(() =>
  z.looseObject({
    path: z.string(),
    startLine: z.int(),
    endLine: z.int(),
    score: z.number(),
    /** Of the two searches it was found by, each between 0 and 1. */
    textScore: z.number().optional(),
    vectorScore: z.number().optional(),
    snippet: z.string(),
    source: z.enum(["memory", "sessions"]),
    citation: text(),
    /** Where it was said, when it is from a conversation. */
    sessionKey: text(),
    entryId: text(),
    at: z.number().optional(),
  }),
);

const MemoryAgentStatus = once(() =>
  z.looseObject({
    agentId: z.string(),
    isOn: z.boolean(),
    /** Of the index. */
    path: z.string(),
    workspace: z.string(),
    sources: z.array(z.enum(["memory", "sessions"])),
    extraPaths: z.array(z.string()),
    /** Who makes vectors, and the space they are in; `fallback` is who does it meanwhile. */
    provider: z.string(),
    model: z.string(),
    fallback: z.looseObject({ provider: z.string(), model: z.string(), why: z.string() }).optional(),
    /** `text`: found by words alone, for now or by configuration. */
    mode: z.enum(["hybrid", "text"]),
    files: z.int(),
    chunks: z.int(),
    /** Of the chunks, those with a vector of the model in use. */
    vectors: z.int(),
    dimensions: z.int().optional(),
    /** Of the notes, as far as they can be told: shares of those in "de", say; the most frequent first. */
    languages: z.array(z.looseObject({ language: z.string(), share: z.number() })),
    /** What the model that makes vectors reads; absent where nobody knows. */
    reads: z.enum(["en", "all"]).optional(),
    bytes: z.int(),
    syncedAt: z.number().optional(),
    isIndexing: z.boolean(),
    progress: MemoryProgress().optional(),
    /** What could not be read or embedded, and other things to know, a sentence each. */
    notes: z.array(z.string()),
    /** Messages it learned from, and how far it has come in a ledger of so many entries. */
    learned: z.looseObject({
      entries: z.int(),
      seq: z.int(),
      of: z.int(),
      episodes: z.int(),
      facts: z.int(),
    }),
    /** The model that reads the owner's conversations, where one was named: how many parts it read, and what it took. */
    reading: z
      .looseObject({
        model: z.string(),
        read: z.int(),
        waiting: z.int(),
        tokensToday: z.int(),
        maxTokensPerDay: z.int(),
        /** Why it does not go on, in a sentence. */
        problem: text(),
      })
      .optional(),
    cache: z.looseObject({ entries: z.int(), most: z.int() }),
  }),
);

const MemoryFact = once(() =>
  z.looseObject({
    id: z.string(),
    kind: z.enum(MEMORY_FACT_KINDS),
    /** What it is about: a person, a thing, a topic. */
    subject: z.string(),
    /** A sentence, as it was said or nearly so. */
    text: z.string(),
    confidence: z.number(),
    /** Where it comes from: always an entry of the record. */
    sessionKey: z.string(),
    sessionId: z.string(),
    entryId: z.string(),
    role: z.enum(["user", "assistant"]),
    /** Who said it, when somebody wrote down who that is. */
    person: text(),
    at: z.number(),
    /** A day it speaks of, as YYYY-MM-DD. */
    day: text(),
    /** It is part of the block every prompt of the owner's conversations has. */
    isInPrompt: z.boolean(),
    /** Who found it in what was said. */
    by: z.enum(["rules", "model"]),
  }),
);

const Forgotten = () =>
  z.looseObject({ facts: z.int(), episodes: z.int(), chunks: z.int(), vectors: z.int(), summaries: z.int() });

export const MEMORY_METHODS = {
  "memory.status": {
    role: "operator",
    scope: "operator.read",
    says: "What each agent remembers, how it is found, and what is wrong with it",
    params: once(() => z.strictObject({ agentId: agent() })),
    result: once(() => z.looseObject({ agents: z.array(MemoryAgentStatus()) })),
  },
  "doctor.memory.status": {
    role: "operator",
    scope: "operator.read",
    says: "Whether texts can be embedded for an agent",
    params: once(() => z.strictObject({ agentId: agent() })),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        provider: text(),
        embedding: z.looseObject({ ok: z.boolean(), error: text() }),
      }),
    ),
  },
  "memory.search": {
    role: "operator",
    scope: "operator.read",
    says: "Finds notes, and what was said, by meaning and by words",
    params: once(() =>
      z.strictObject({
        agentId: agent(),
        query: NonEmpty().max(4000),
        maxResults: z.int().min(1).max(100).optional(),
        minScore: z.number().min(0).max(1).optional(),
        sources: z.array(z.enum(["memory", "sessions"])).optional(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        results: z.array(MemoryHit()),
        provider: z.string(),
        model: z.string(),
        mode: z.enum(["hybrid", "text"]),
        /** Why it is not what was configured, in a sentence. */
        notice: text(),
        tookMs: z.number(),
        indexing: MemoryProgress().optional(),
      }),
    ),
  },
  "memory.index": {
    role: "operator",
    scope: "operator.admin",
    says: "Brings the index up to date; with `force` every file is read again",
    params: once(() => z.strictObject({ agentId: agent(), force: flag() })),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        files: z.int(),
        /** How many were looked into; with `force` all of them. */
        read: z.int(),
        changed: z.int(),
        removed: z.int(),
        chunks: z.int(),
        notes: z.array(z.string()),
      }),
    ),
  },
  "memory.rebuild": {
    role: "operator",
    scope: "operator.admin",
    says: "Reads every note, and the record of conversations, again; what was there serves until then",
    params: once(() => z.strictObject({ agentId: agent(), what: z.enum(["all", "notes", "learned"]).optional() })),
    /** It goes on behind; `memory.progress` tells how far it is. */
    result: once(() => z.looseObject({ agentId: z.string(), started: z.literal(true) })),
  },
  "memory.check": {
    role: "operator",
    scope: "operator.admin",
    says: "Looks whether the index is whole and agrees with the notes; with `repair` what is not is mended",
    params: once(() => z.strictObject({ agentId: agent(), repair: flag() })),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        ok: z.boolean(),
        findings: z.array(z.looseObject({ what: z.string(), fix: z.string(), isRepaired: z.boolean() })),
      }),
    ),
  },
  "memory.notes.list": {
    role: "operator",
    scope: "operator.read",
    says: "The notes of an agent: MEMORY.md, the memory folder and further paths",
    params: once(() => z.strictObject({ agentId: agent() })),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        workspace: z.string(),
        notes: z.array(
          z.looseObject({
            path: z.string(),
            size: z.int(),
            updatedAtMs: z.number(),
            chunks: z.int(),
            isWritable: z.boolean(),
          }),
        ),
      }),
    ),
  },
  "memory.notes.get": {
    role: "operator",
    scope: "operator.read",
    says: "One note",
    params: once(() => z.strictObject({ agentId: agent(), path: NotePath() })),
    result: once(() =>
      z.looseObject({ agentId: z.string(), path: z.string(), text: z.string(), hash: z.string(), isCut: z.boolean() }),
    ),
  },
  "memory.notes.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Writes a note; with `baseHash` only if nobody changed it since it was read",
    params: once(() =>
      z.strictObject({ agentId: agent(), path: NotePath(), text: z.string().max(5_000_000), baseHash: text() }),
    ),
    result: once(() => z.looseObject({ agentId: z.string(), path: z.string(), hash: z.string() })),
  },
  "memory.notes.delete": {
    role: "operator",
    scope: "operator.admin",
    says: "Deletes a note, and what the index has of it",
    params: once(() => z.strictObject({ agentId: agent(), path: NotePath(), baseHash: text() })),
    result: once(() => z.looseObject({ agentId: z.string(), path: z.string(), deleted: z.boolean() })),
  },
  "memory.subjects": {
    role: "operator",
    scope: "operator.read",
    says: "The people, things and topics an agent learned something about, those it knows most about first",
    params: once(() =>
      z.strictObject({
        agentId: agent(),
        search: z.string().max(200).optional(),
        limit: z.int().min(1).max(500).optional(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        subjects: z.array(
          z.looseObject({ subject: z.string(), kinds: z.array(z.string()), facts: z.int(), lastAt: z.number() }),
        ),
      }),
    ),
  },
  "memory.facts": {
    role: "operator",
    scope: "operator.read",
    says: "What an agent learned from conversations, each with the entry it comes from; the newest first",
    params: once(() =>
      z.strictObject({
        agentId: agent(),
        subject: z.string().max(200).optional(),
        person: z.string().max(200).optional(),
        sessionKey: SessionKeyParam().optional(),
        kind: z.enum(MEMORY_FACT_KINDS).optional(),
        search: z.string().max(200).optional(),
        limit: z.int().min(1).max(500).optional(),
        offset: count(),
      }),
    ),
    result: once(() =>
      z.looseObject({ agentId: z.string(), facts: z.array(MemoryFact()), total: z.int(), hasMore: z.boolean() }),
    ),
  },
  "memory.block": {
    role: "operator",
    scope: "operator.read",
    says: "What of all this stands in every prompt of the owner's conversations",
    params: once(() => z.strictObject({ agentId: agent() })),
    result: once(() => z.looseObject({ agentId: z.string(), text: z.string(), most: z.int() })),
  },
  "memory.forget": {
    role: "operator",
    scope: "operator.admin",
    says: "Forgets a fact, a person or subject, or a session, with everything derived from it, and keeps it forgotten",
    params: once(() =>
      z.strictObject({
        agentId: agent(),
        what: z.discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("fact"), id: NonEmpty().max(128) }),
          z.strictObject({ kind: z.literal("subject"), subject: NonEmpty().max(200) }),
          z.strictObject({ kind: z.literal("person"), person: NonEmpty().max(200) }),
          z.strictObject({ kind: z.literal("session"), sessionKey: SessionKeyParam() }),
        ]),
      }),
    ),
    result: once(() => z.looseObject({ agentId: z.string(), forgotten: Forgotten() })),
  },
} as const satisfies Record<string, MethodSpec>;
