// A conversation as a page shows it: its messages by position, what is being said right now, and how both change.
import * as z from "zod";
import { Cost } from "../messages.ts";
import { once, type Parsed } from "../schema.ts";

/** Texts up to this length are shown whole by `chat.page`; `chat.entry` has the rest. */
export const MAX_SHOWN_CHARS = 60_000;
export const MAX_PAGE = 500;
/** Sessions one connection may watch. */
export const MAX_WATCHED = 50;

/** A file in the content of a shown message; `media.get` gives its bytes. */
export const MediaBlock = once(() =>
  z.looseObject({
    type: z.literal("media"),
    /** SHA-256 of the content, hexadecimal. */
    id: z.string(),
    fileName: z.string().optional(),
    mimeType: z.string(),
    bytes: z.number(),
  }),
);
export type MediaBlock = Parsed<typeof MediaBlock>;

export const ShownBlock = once(() =>
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("thinking"), thinking: z.string(), redacted: z.boolean().optional() }),
    z.looseObject({
      type: z.literal("toolCall"),
      id: z.string(),
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      /** What the model wrote instead of arguments that can be read. */
      unreadable: z.string().optional(),
    }),
    /** `data` (base64) is there in `chat.entry` only; elsewhere the picture is left out. */
    z.looseObject({
      type: z.literal("image"),
      mimeType: z.string(),
      bytes: z.number(),
      omitted: z.boolean().optional(),
      data: z.string().optional(),
      mediaId: z.string().optional(),
    }),
    MediaBlock(),
  ]),
);

const ShownUsage = () =>
  z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    cost: Cost().optional(),
  });

/**
 * Why a turn has no answer, in its parts. The `chat` event that ends the turn and the message in the transcript carry the same one;
 * `errorMessage` beside it is all of it in one text.
 */
export const ShownFailure = once(() =>
  z.looseObject({
    /** Of the catalogue of errors, such as MODEL_AUTH. */
    code: z.string(),
    message: z.string(),
    /** What of the message is not the same every time, for those who have words of their own for the rest. */
    detail: z.string().optional(),
    fix: z.string(),
    retry: z.enum(["never", "now", "later"]),
    provider: z.string().optional(),
    model: z.string().optional(),
    /** When the credential is used again by itself. Sending the message again tries it at once; `models.retry` frees it. */
    retryAt: z.number().optional(),
  }),
);

/** One entry of the branch that is being talked in. */
export const ShownMessage = once(() =>
  z.looseObject({
    /** Position on the branch, from 0; -1 when the entry is on another branch. */
    index: z.int().min(-1),
    id: z.string(),
    /** Not for people. Only `index` and `id`, and what a label names, are there. */
    hidden: z.literal(true).optional(),
    parentId: z.string().nullable().optional(),
    role: z.enum(["user", "assistant", "toolResult", "system"]).optional(),
    content: z.array(ShownBlock()).optional(),
    timestamp: z.number().optional(),
    /**
     * "compaction": the older part was summarised, content is the summary. "command": what a person told the gateway,
     * `reply` is its answer. "summary": what another branch was about. "errand": in a person's place, but typed by nobody
     * here: a job asks it (`job`), a webhook brought it, or another conversation said it.
     * "label": hidden; `label` now names the entry `targetId`, or, without it, a name of that entry was taken away.
     */
    kind: z.enum(["compaction", "command", "summary", "errand", "label"]).optional(),
    reply: z.string().optional(),
    label: z.string().optional(),
    targetId: z.string().optional(),
    toolCallId: z.string().optional(),
    toolName: z.string().optional(),
    isError: z.boolean().optional(),
    /** What a tool tells besides its text, such as a diff; left out when it is large. */
    details: z.unknown().optional(),
    usage: ShownUsage().optional(),
    model: z.string().optional(),
    provider: z.string().optional(),
    stopReason: z.string().optional(),
    errorMessage: z.string().optional(),
    failure: ShownFailure().optional(),
    /** The job whose result it is, put here for people although nobody asked for it here; or the job that asks this. */
    job: z.looseObject({ id: z.string(), name: z.string() }).optional(),
    /** The webhook that brought it. */
    webhook: z.string().optional(),
    /** The conversation whose agent said it. */
    fromSession: z.string().optional(),
    /** Where the conversation forks: ids of all entries that could stand here, oldest first, this one included. */
    siblings: z.array(z.string()).optional(),
    /** Names of checkpoints. */
    labels: z.array(z.string()).optional(),
    /** Something was shortened or left out; `chat.entry` has it. */
    cut: z.literal(true).optional(),
    /** The run it belongs to, when that is known: in `session.entries`. */
    runId: z.string().optional(),
  }),
);
export type ShownBlock = Parsed<typeof ShownBlock>;
export type ShownMessage = Parsed<typeof ShownMessage>;

/** A message as windows without positions show it; other programs' transcripts may hold more. */
export const HistoryMessage = once(() =>
  z.looseObject({
    role: z.string(),
    content: z.union([z.string(), z.array(z.union([ShownBlock(), z.looseObject({ type: z.string() })]))]),
    timestamp: z.number().optional(),
    usage: z
      .looseObject({
        input: z.number().optional(),
        output: z.number().optional(),
        totalTokens: z.number().optional(),
        cacheRead: z.number().optional(),
        cacheWrite: z.number().optional(),
        cost: Cost().partial().optional(),
      })
      .optional(),
    api: z.string().optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    responseId: z.string().optional(),
    stopReason: z.string().optional(),
    errorMessage: z.string().optional(),
    failure: ShownFailure().optional(),
    /** What was said until somebody stopped it. */
    openclawAbort: z
      .looseObject({ aborted: z.boolean().optional(), origin: z.string().optional(), runId: z.string().optional() })
      .optional(),
    toolCallId: z.string().optional(),
    toolName: z.string().optional(),
    isError: z.boolean().optional(),
    /** The window it was typed into. */
    senderLabel: z.string().optional(),
    /** The job that asked it. */
    job: z.looseObject({ id: z.string(), name: z.string() }).optional(),
    /** Where words come from that no person typed there. */
    provenance: z.record(z.string(), z.unknown()).optional(),
    /** Which entry it is, and where it stands in the branch that is being talked in. */
    __openclaw: z
      .looseObject({
        id: z.string().optional(),
        seq: z.int().optional(),
        kind: z.string().optional(),
        truncated: z.boolean().optional(),
        reason: z.string().optional(),
      })
      .optional(),
  }),
);

export type HistoryMessage = Parsed<typeof HistoryMessage>;

/** A tool that is at work. */
const RunningTool = () =>
  z.looseObject({
    toolCallId: z.string(),
    name: z.string(),
    args: z.unknown(),
    partial: z.string().optional(),
    details: z.unknown().optional(),
    startedAt: z.number(),
  });

/** A run that is not over. */
export const WatchedRun = once(() =>
  z.looseObject({
    runId: z.string(),
    state: z.enum(["queued", "running"]),
    admittedAt: z.number().optional(),
    startedAt: z.number().optional(),
    channel: z.string().optional(),
    /** What was asked; while it waits it is not in the transcript. */
    userText: z.string().optional(),
    /** Of the message that is being written, as far as it is not in the transcript. */
    text: z.string(),
    thinking: z.string(),
    tools: z.array(RunningTool()),
  }),
);
export type WatchedRun = Parsed<typeof WatchedRun>;

const WatchedSettings = () =>
  z.looseObject({
    model: z.string().optional(),
    provider: z.string().optional(),
    /** Chosen for this session, as provider/model. */
    modelOverride: z.string().optional(),
    /** Chosen for this session; without it holds what is configured for the agent. */
    thinkingLevel: z.string().optional(),
    verboseLevel: z.string().optional(),
    reasoningLevel: z.string().optional(),
    elevatedLevel: z.string().optional(),
    responseUsage: z.string().optional(),
    sendPolicy: z.string().optional(),
    queueMode: z.string().optional(),
    label: z.string().optional(),
    displayName: z.string().optional(),
    channel: z.string().optional(),
    chatType: z.string().optional(),
    /** The conversation it was started from, as a sub-agent. */
    spawnedBy: z.string().optional(),
    updatedAt: z.number().optional(),
    totalTokens: z.number().optional(),
    totalTokensFresh: z.boolean().optional(),
    contextTokens: z.number().optional(),
    compactionCount: z.number().optional(),
  });

/** Where a conversation is: how many entries its branch has, and which is the last. */
const place = () => ({
  sessionKey: z.string(),
  sessionId: z.string().optional(),
  total: z.int().min(0),
  leafId: z.string().nullable(),
});

export const WatchSnapshot = once(() =>
  z.looseObject({
    ...place(),
    settings: WatchedSettings(),
    runs: z.array(WatchedRun()),
    /** Number of the last event this connection was told before: what has a higher one is not in the snapshot. */
    seq: z.int().min(0),
  }),
);
export type WatchSnapshot = Parsed<typeof WatchSnapshot>;

export const ConversationPage = once(() =>
  z.looseObject({ ...place(), from: z.int().min(0), messages: z.array(ShownMessage()) }),
);
export type ConversationPage = Parsed<typeof ConversationPage>;

/** `session.entries`: the branch of a watched session grew. */
export const SessionEntriesEvent = once(() =>
  z.looseObject({
    ...place(),
    sessionId: z.string(),
    from: z.int().min(0),
    messages: z.array(ShownMessage()),
    /** What the runs these entries belong to are saying now, behind them: it takes the place of what was shown of them. */
    runs: z.array(z.looseObject({ runId: z.string(), text: z.string(), thinking: z.string() })),
  }),
);
export type SessionEntriesEvent = Parsed<typeof SessionEntriesEvent>;

/** `session.moved`: a watched session goes on at another place. Without a session id there is none any more. */
export const SessionMovedEvent = once(() => z.looseObject(place()));
export type SessionMovedEvent = Parsed<typeof SessionMovedEvent>;

/** `agent`: a step of a run. Streams are lifecycle, assistant, thinking, tool and compaction. */
export const AgentEvent = once(() =>
  z.looseObject({
    runId: z.string(),
    sessionKey: z.string(),
    /** Rises within the run. */
    seq: z.int().min(0),
    ts: z.number(),
    stream: z.string(),
    data: z.looseObject({
      /** lifecycle: start, end, error. tool: start, update, result. compaction: start, end. */
      phase: z.string().optional(),
      /** assistant and thinking: the whole of the message so far, and what was added. */
      text: z.string().optional(),
      delta: z.string().optional(),
      startedAt: z.number().optional(),
      endedAt: z.number().optional(),
      aborted: z.boolean().optional(),
      error: z.string().optional(),
      compacted: z.boolean().optional(),
      toolCallId: z.string().optional(),
      name: z.string().optional(),
      args: z.unknown().optional(),
      partialResult: z.string().optional(),
      details: z.unknown().optional(),
      result: z.unknown().optional(),
      isError: z.boolean().optional(),
    }),
  }),
);
export type AgentEvent = Parsed<typeof AgentEvent>;

/** `chat`: what a run says, and how it ended. */
export const ChatEvent = once(() =>
  z.looseObject({
    runId: z.string(),
    sessionKey: z.string(),
    seq: z.int().min(0),
    state: z.enum(["delta", "final", "aborted", "error"]),
    message: z
      .looseObject({ role: z.string(), content: z.array(z.looseObject({ type: z.string() })), timestamp: z.number() })
      .optional(),
    errorMessage: z.string().optional(),
    failure: ShownFailure().optional(),
    stopReason: z.string().optional(),
  }),
);
export type ChatEvent = Parsed<typeof ChatEvent>;
