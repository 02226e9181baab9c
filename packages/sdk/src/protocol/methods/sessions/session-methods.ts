// Sessions: lists, changes, branches, usage.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { SessionEntry } from "../../../session.ts";
import { NonEmpty } from "../../frames.ts";
import { text, flag, nullable, SessionKeyParam, UsageTotals, usageDays, type MethodSpec } from "../method-spec.ts";

export const SessionsListParams = once(() =>
  z.strictObject({
    limit: z.int().min(1).optional(),
    offset: z.int().min(0).optional(),
    sort: z.enum(["updated", "created", "tokens"]).optional(),
    kind: z.enum(["direct", "group", "global", "unknown"]).optional(),
    channel: text(),
    activeMinutes: z.int().min(1).optional(),
    includeGlobal: flag(),
    includeUnknown: flag(),
    includeDerivedTitles: flag(),
    includeLastMessage: flag(),
    label: text(),
    spawnedBy: text(),
    agentId: text(),
    search: text(),
  }),
);

/** What a list tells of a session entry. */
export const SESSION_ROW_FIELDS = [
  "label",
  "displayName",
  "channel",
  "subject",
  "groupId",
  "groupChannel",
  "space",
  "chatType",
  "origin",
  "sessionId",
  "systemSent",
  "abortedLastRun",
  "thinkingLevel",
  "verboseLevel",
  "reasoningLevel",
  "elevatedLevel",
  "execHost",
  "execSecurity",
  "execAsk",
  "execNode",
  "groupActivation",
  "sendPolicy",
  "queueMode",
  "queueDebounceMs",
  "queueCap",
  "queueDrop",
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cacheRead",
  "cacheWrite",
  "responseUsage",
  "modelProvider",
  "model",
  "providerOverride",
  "modelOverride",
  "fallbackNoticeSelectedModel",
  "fallbackNoticeActiveModel",
  "contextTokens",
  "compactionCount",
  "deliveryContext",
  "lastChannel",
  "lastTo",
  "lastAccountId",
  "lastThreadId",
  "spawnedBy",
  "spawnDepth",
  "spawnedWorkspaceDir",
  "subagentRole",
  "subagentControlScope",
  "parentSessionKey",
  "fastMode",
  "status",
  "startedAt",
  "endedAt",
  "runtimeMs",
  "estimatedCostUsd",
] as const satisfies ReadonlyArray<keyof SessionEntry>;
type RowField = (typeof SESSION_ROW_FIELDS)[number];

/** Of a session entry; each may be missing. `model` answered last, `modelOverride` was chosen for the session. */
const rowFields = () => {
  const mask = Object.fromEntries(SESSION_ROW_FIELDS.map((field) => [field, true])) as Record<RowField, true>;
  return SessionEntry().pick(mask).partial().shape;
};

export const SessionRow = once(() =>
  z.looseObject({
    ...rowFields(),
    key: z.string(),
    kind: z.enum(["direct", "group", "global", "unknown"]),
    /** Missing for sessions that belong to no agent. */
    agentId: text(),
    updatedAt: z.number().nullable(),
    /** When it was first known. */
    createdAt: z.number().optional(),
    totalTokensFresh: z.boolean(),
    /** With `includeDerivedTitles`: how the conversation began. */
    derivedTitle: text(),
    /** With `includeLastMessage`. */
    lastMessagePreview: text(),
  }),
);

const QUEUE_MODES = ["steer", "followup", "collect", "steer-backlog", "steer+backlog", "queue", "interrupt"] as const;

export const SessionsPatchParams = once(() =>
  z.strictObject({
    key: SessionKeyParam(),
    label: nullable(z.string().min(1).max(64)),
    thinkingLevel: nullable(z.enum(["off", "minimal", "low", "medium", "high", "xhigh"])),
    verboseLevel: nullable(z.enum(["off", "on", "full"])),
    reasoningLevel: nullable(z.enum(["off", "on", "stream"])),
    responseUsage: nullable(z.enum(["off", "tokens", "full", "on"])),
    elevatedLevel: nullable(z.enum(["off", "on", "ask", "full"])),
    execHost: nullable(z.enum(["sandbox", "gateway", "node"])),
    execSecurity: nullable(z.enum(["deny", "allowlist", "full"])),
    execAsk: nullable(z.enum(["off", "on-miss", "always"])),
    execNode: nullable(NonEmpty()),
    model: nullable(NonEmpty()),
    spawnedBy: nullable(NonEmpty()),
    spawnDepth: nullable(z.int().min(0)),
    spawnedWorkspaceDir: nullable(z.string()),
    subagentRole: nullable(z.enum(["orchestrator", "leaf"])),
    subagentControlScope: nullable(z.enum(["children", "none"])),
    sendPolicy: nullable(z.enum(["allow", "deny"])),
    groupActivation: nullable(z.enum(["mention", "always"])),
    fastMode: nullable(z.boolean()),
    queueMode: nullable(z.enum(QUEUE_MODES)),
  }),
);

const PointName = () =>
  NonEmpty()
    .max(64)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, "must not contain control characters");

const MovedResult = once(() =>
  z.object({
    ok: z.literal(true),
    entryId: z.string().nullable(),
    dropped: z.int().min(0),
    preview: z.string(),
  }),
);

const day = () => ({ date: z.string() });

const MessageCounts = () =>
  z.looseObject({
    total: z.int(),
    user: z.int(),
    assistant: z.int(),
    toolCalls: z.int(),
    toolResults: z.int(),
    errors: z.int(),
  });

const ToolUsage = () =>
  z.looseObject({
    totalCalls: z.int(),
    uniqueTools: z.int(),
    tools: z.array(z.looseObject({ name: z.string(), count: z.int() })),
  });

/** How long people waited for answers. */
const Latency = () =>
  z.looseObject({
    count: z.int(),
    avgMs: z.number(),
    p95Ms: z.number(),
    minMs: z.number(),
    maxMs: z.number(),
  });

const UsedModel = () =>
  z.looseObject({ provider: z.string(), model: z.string(), count: z.int(), totals: UsageTotals() });

const ModelDay = () =>
  z.looseObject({
    ...day(),
    provider: z.string(),
    model: z.string(),
    tokens: z.number(),
    cost: z.number(),
    count: z.int(),
  });

/** What a session used in the days that were asked for, and what happened in it. */
const SessionUse = () =>
  UsageTotals().extend({
    sessionId: z.string(),
    sessionFile: text(),
    firstActivity: z.number().optional(),
    lastActivity: z.number().optional(),
    durationMs: z.number().optional(),
    activityDates: z.array(z.string()),
    dailyBreakdown: z.array(z.looseObject({ ...day(), tokens: z.number(), cost: z.number() })),
    dailyMessageCounts: z.array(MessageCounts().extend(day())),
    dailyLatency: z.array(Latency().extend(day())),
    dailyModelUsage: z.array(ModelDay()),
    messageCounts: MessageCounts(),
    toolUsage: ToolUsage(),
    modelUsage: z.array(UsedModel()),
    latency: Latency().optional(),
  });

const UsedSession = () =>
  z.looseObject({
    key: z.string(),
    sessionId: z.string(),
    updatedAt: z.number(),
    label: text(),
    agentId: text(),
    channel: text(),
    chatType: text(),
    origin: SessionEntry().shape.origin,
    modelOverride: text(),
    providerOverride: text(),
    modelProvider: text(),
    model: text(),
    /** Null when nothing happened in these days. */
    usage: SessionUse().nullable(),
    /** With `includeContextWeight`: what its last prompt was made of. */
    contextWeight: z.unknown().optional(),
  });

export const SESSION_METHODS = {
  "sessions.list": {
    role: "operator",
    scope: "operator.read",
    says: "Sessions, newest first or in another order; `offset` and `limit` choose a part, `total` is the whole",
    params: SessionsListParams,
    result: once(() =>
      z.looseObject({
        ts: z.int(),
        path: z.string(),
        count: z.int(),
        /** All that match, of which `sessions` is a part. */
        total: z.int(),
        /** What holds for a session that says nothing else. */
        defaults: z
          .looseObject({ modelProvider: text(), model: text(), contextTokens: z.number().optional() })
          .optional(),
        sessions: z.array(SessionRow()),
      }),
    ),
  },
  "sessions.preview": {
    role: "operator",
    scope: "operator.read",
    says: "The last few lines of some sessions",
    params: once(() =>
      z.strictObject({
        keys: z.array(NonEmpty()).min(1),
        limit: z.int().min(1).max(200).optional(),
        maxChars: z.int().min(20).max(20_000).optional(),
      }),
    ),
    result: once(() =>
      z.object({
        ts: z.int(),
        previews: z.array(
          z.object({
            key: z.string(),
            status: z.enum(["ok", "empty", "missing", "error"]),
            items: z.array(
              z.object({ role: z.enum(["user", "assistant", "tool", "system", "other"]), text: z.string() }),
            ),
          }),
        ),
      }),
    ),
  },
  "sessions.resolve": {
    role: "operator",
    scope: "operator.read",
    says: "The key of the session with a given key, id or label",
    unlisted: true,
    params: once(() =>
      z.strictObject({
        key: text(),
        sessionId: text(),
        label: text(),
        agentId: text(),
        spawnedBy: text(),
        includeGlobal: flag(),
        includeUnknown: flag(),
      }),
    ),
    result: once(() => z.object({ ok: z.literal(true), key: z.string() })),
  },
  "sessions.patch": {
    role: "operator",
    scope: "operator.admin",
    says: "Changes settings of one session; null clears a setting",
    params: SessionsPatchParams,
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        path: z.string(),
        key: z.string(),
        entry: SessionEntry(),
        /** The model that answers from now on. */
        resolved: z.looseObject({ modelProvider: z.string(), model: z.string() }).optional(),
      }),
    ),
  },
  "sessions.reset": {
    role: "operator",
    scope: "operator.admin",
    says: "Starts the session anew; the old transcript is archived",
    params: once(() => z.strictObject({ key: SessionKeyParam(), reason: z.enum(["new", "reset"]).optional() })),
    result: once(() => z.looseObject({ ok: z.literal(true), key: z.string(), entry: SessionEntry() })),
  },
  "sessions.delete": {
    role: "operator",
    scope: "operator.admin",
    says: "Removes a session; its transcript is archived, not erased",
    params: once(() =>
      z.strictObject({ key: SessionKeyParam(), deleteTranscript: flag(), emitLifecycleHooks: flag() }),
    ),
    result: once(() =>
      z.object({ ok: z.literal(true), key: z.string(), deleted: z.boolean(), archived: z.array(z.string()) }),
    ),
  },
  "sessions.compact": {
    role: "operator",
    scope: "operator.admin",
    says: "Keeps only the last lines of a transcript in the live conversation",
    params: once(() => z.strictObject({ key: SessionKeyParam(), maxLines: z.int().min(1).optional() })),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        key: z.string(),
        compacted: z.boolean(),
        /** Lines of the live conversation. */
        kept: z.int().optional(),
        reason: z.string().optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const SESSION_TREE_METHODS = {
  "sessions.branches": {
    role: "operator",
    scope: "operator.read",
    says: "The branches of a conversation, newest first, and its checkpoints",
    params: once(() => z.strictObject({ key: SessionKeyParam() })),
    result: once(() =>
      z.object({
        key: z.string(),
        branches: z.array(
          z.object({
            entryId: z.string(),
            timestamp: z.string(),
            preview: z.string(),
            labels: z.array(z.string()),
            isActive: z.boolean(),
          }),
        ),
        checkpoints: z.array(z.object({ entryId: z.string(), label: z.string(), timestamp: z.string() })),
      }),
    ),
  },
  "sessions.checkpoint": {
    role: "operator",
    scope: "operator.write",
    says: "Gives the present point of a conversation a name; the same name again moves it here",
    params: once(() => z.strictObject({ key: SessionKeyParam(), name: PointName() })),
    result: once(() => z.object({ ok: z.literal(true), entryId: z.string(), name: z.string() })),
  },
  "sessions.checkpoint.patch": {
    role: "operator",
    scope: "operator.write",
    says: "Gives a checkpoint another name, or takes it away (`to: null`); what was said stays",
    params: once(() => z.strictObject({ key: SessionKeyParam(), name: PointName(), to: PointName().nullable() })),
    result: once(() => z.object({ ok: z.literal(true), entryId: z.string(), name: z.string().nullable() })),
  },
  "sessions.rewind": {
    role: "operator",
    scope: "operator.write",
    says: "Goes back to a point (`to`; with `before`, right before it) or by some messages of people (`turns`); what came after stays as a branch",
    params: once(() =>
      z.strictObject({
        key: SessionKeyParam(),
        to: PointName().optional(),
        before: flag(),
        turns: z.int().min(1).optional(),
      }),
    ),
    result: MovedResult,
  },
  "sessions.switch": {
    role: "operator",
    scope: "operator.write",
    says: "Goes on from any point of any branch: a checkpoint's name, an entry id or the beginning of one; with `end`, from the newest point that came of it",
    params: once(() => z.strictObject({ key: SessionKeyParam(), to: PointName(), end: flag() })),
    result: MovedResult,
  },
} as const satisfies Record<string, MethodSpec>;

export const SESSION_USAGE_METHODS = {
  "sessions.usage": {
    role: "operator",
    scope: "operator.read",
    says: "Tokens, cost, messages and tools by session",
    unlisted: true,
    params: once(() =>
      z.strictObject({
        key: SessionKeyParam().optional(),
        limit: z.int().min(1).max(1000).optional(),
        includeContextWeight: flag(),
        ...usageDays(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        startDate: z.string(),
        endDate: z.string(),
        sessions: z.array(UsedSession()),
        totals: UsageTotals(),
        aggregates: z.looseObject({
          messages: MessageCounts(),
          tools: ToolUsage(),
          byModel: z.array(UsedModel()),
          byProvider: z.array(z.looseObject({ provider: z.string(), count: z.int(), totals: UsageTotals() })),
          byAgent: z.array(z.looseObject({ agentId: z.string(), totals: UsageTotals() })),
          byChannel: z.array(z.looseObject({ channel: z.string(), totals: UsageTotals() })),
          latency: Latency().optional(),
          dailyLatency: z.array(Latency().extend(day())),
          modelDaily: z.array(ModelDay()),
          daily: z.array(
            z.looseObject({
              ...day(),
              tokens: z.number(),
              cost: z.number(),
              messages: z.int(),
              toolCalls: z.int(),
              errors: z.int(),
            }),
          ),
        }),
      }),
    ),
  },
  "sessions.usage.timeseries": {
    role: "operator",
    scope: "operator.read",
    says: "How the tokens and the cost of a session grew",
    unlisted: true,
    params: once(() => z.strictObject({ key: SessionKeyParam() })),
    result: once(() =>
      z.looseObject({
        points: z
          .array(
            z.looseObject({
              timestamp: z.number(),
              cumulativeTokens: z.number(),
              cumulativeCost: z.number().optional(),
              /** Of this point alone. */
              input: z.number(),
              output: z.number(),
              cacheRead: z.number(),
              cacheWrite: z.number(),
              totalTokens: z.number(),
              cost: z.number(),
            }),
          )
          .max(200),
        sessionId: text(),
      }),
    ),
  },
  "sessions.usage.logs": {
    role: "operator",
    scope: "operator.read",
    says: "The messages of a session with what each of them cost",
    unlisted: true,
    params: once(() => z.strictObject({ key: SessionKeyParam(), limit: z.int().min(1).max(1000).optional() })),
    result: once(() =>
      z.object({
        logs: z.array(
          z.looseObject({
            timestamp: z.number(),
            role: z.enum(["user", "assistant", "tool", "toolResult"]),
            content: z.string(),
            /** Of the step, told with its first line. */
            tokens: z.number().optional(),
            cost: z.number().optional(),
          }),
        ),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
