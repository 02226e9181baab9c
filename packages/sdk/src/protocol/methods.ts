// Every method a client may call, declared once: what it takes, what it gives back, who may call it.
import * as z from "zod";
import { once, type Lazy, type Parsed } from "../schema.ts";
import { PresenceEntry, type Scope } from "./connect.ts";
import { NonEmpty } from "./frames.ts";

export type Role = "operator" | "node";

export interface MethodSpec {
  readonly role: Role | "any";
  /** The grant a caller needs; "none" is open to everybody who is connected. */
  readonly scope: Scope | "none";
  readonly params: Lazy<z.ZodType>;
  readonly result: Lazy<z.ZodType>;
  /** One line for the reference. */
  readonly says: string;
  /** Changes how the gateway runs: a caller has a small budget per minute. */
  readonly controlPlane?: true;
  /** Left out of hello-ok's list. */
  readonly unlisted?: true;
}

const empty = once(() => z.strictObject({}));
const anyObject = once(() => z.looseObject({}));
const okResult = once(() => z.looseObject({ ok: z.literal(true) }));
const text = () => z.string().optional();
const flag = () => z.boolean().optional();
const count = () => z.int().min(0).optional();
const nullable = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

const Provenance = () =>
  z.strictObject({
    kind: z.enum(["external_user", "inter_session", "internal_system"]),
    sourceSessionKey: text(),
    sourceChannel: text(),
    sourceTool: text(),
  });

export const Attachment = once(() =>
  z.looseObject({
    type: text(),
    mimeType: text(),
    fileName: text(),
    content: z.unknown().optional(),
  }),
);

const SessionKeyParam = () => NonEmpty().max(512);

export const AgentParams = once(() =>
  z.strictObject({
    message: NonEmpty(),
    idempotencyKey: NonEmpty().max(256),
    agentId: text(),
    to: text(),
    replyTo: text(),
    sessionId: text(),
    sessionKey: z.string().max(512).optional(),
    thinking: text(),
    deliver: flag(),
    attachments: z.array(Attachment()).optional(),
    channel: text(),
    replyChannel: text(),
    accountId: text(),
    replyAccountId: text(),
    threadId: text(),
    groupId: text(),
    groupChannel: text(),
    groupSpace: text(),
    timeout: count(),
    bestEffortDeliver: flag(),
    lane: text(),
    extraSystemPrompt: text(),
    inputProvenance: Provenance().optional(),
    internalEvents: z.array(z.unknown()).optional(),
    label: z.string().min(1).max(64).optional(),
    spawnedBy: text(),
  }),
);

export const ChatSendParams = once(() =>
  z.strictObject({
    sessionKey: SessionKeyParam(),
    message: z.string(),
    idempotencyKey: NonEmpty().max(256),
    thinking: text(),
    deliver: flag(),
    attachments: z.array(Attachment()).optional(),
    timeoutMs: count(),
    systemInputProvenance: Provenance().optional(),
    systemProvenanceReceipt: text(),
  }),
);

export const SessionsListParams = once(() =>
  z.strictObject({
    limit: z.int().min(1).optional(),
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

export const SessionRow = once(() =>
  z.looseObject({
    key: z.string(),
    kind: z.enum(["direct", "group", "global", "unknown"]),
    updatedAt: z.number().nullable(),
    totalTokensFresh: z.boolean(),
  }),
);

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
    sendPolicy: nullable(z.enum(["allow", "deny"])),
    groupActivation: nullable(z.enum(["mention", "always"])),
    fastMode: nullable(z.boolean()),
  }),
);

const ConfigWriteParams = once(() =>
  z.strictObject({
    raw: NonEmpty(),
    baseHash: text(),
    sessionKey: text(),
    note: text(),
    restartDelayMs: count(),
  }),
);
const ConfigWriteResult = once(() => z.looseObject({ ok: z.literal(true), path: z.string(), config: z.unknown() }));

const UsageTotals = () =>
  z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    totalTokens: z.number(),
    totalCost: z.number(),
    missingCostEntries: z.number(),
  });

/** Which days are meant, and where they begin: at midnight in UTC, at the gateway, or with a given offset. */
const usageDays = () => ({
  startDate: text(),
  endDate: text(),
  days: z.int().min(1).max(3660).optional(),
  mode: z.enum(["utc", "gateway", "specific"]).optional(),
  utcOffset: text(),
});

const AgentIdParam = () => NonEmpty().max(128);
const WorkspaceFile = () => z.looseObject({ name: z.string(), path: z.string(), missing: z.boolean() });

export const SystemEventParams = once(() =>
  z.strictObject({
    text: NonEmpty(),
    deviceId: text(),
    instanceId: text(),
    host: text(),
    ip: text(),
    mode: text(),
    version: text(),
    platform: text(),
    deviceFamily: text(),
    modelIdentifier: text(),
    lastInputSeconds: z.number().optional(),
    reason: text(),
    roles: z.array(z.string()).optional(),
    scopes: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
  }),
);

const orNull = () => z.string().nullish();

const ApprovalRequestParams = once(() =>
  z.strictObject({
    id: NonEmpty().max(200).nullish(),
    command: NonEmpty(),
    commandArgv: z.array(z.string()).nullish(),
    systemRunPlanV2: z.unknown().optional(),
    env: z.record(z.string(), z.string()).nullish(),
    cwd: orNull(),
    nodeId: orNull(),
    host: orNull(),
    security: orNull(),
    ask: orNull(),
    agentId: orNull(),
    resolvedPath: orNull(),
    sessionKey: orNull(),
    turnSourceChannel: orNull(),
    turnSourceTo: orNull(),
    turnSourceAccountId: orNull(),
    turnSourceThreadId: z.union([z.string(), z.number()]).nullish(),
    timeoutMs: z.int().min(1).nullish(),
    twoPhase: flag(),
  }),
);
const ApprovalOutcome = once(() =>
  z.object({
    id: z.string(),
    decision: z.enum(["allow-once", "allow-always", "deny"]).nullable(),
    createdAtMs: z.int(),
    expiresAtMs: z.int(),
  }),
);
const ExecApprovals = once(() =>
  z.object({ path: z.string(), exists: z.boolean(), hash: z.string(), file: z.looseObject({}) }),
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

const RequestIdParams = once(() => z.strictObject({ requestId: NonEmpty() }));

/** The order is the order of hello-ok's list. */
export const METHODS = {
  health: {
    role: "any",
    scope: "none",
    says: "Whether the gateway is well, with channels, agents and recent sessions",
    params: once(() => z.strictObject({ probe: flag() })),
    result: once(() => z.looseObject({ ok: z.boolean(), ts: z.int(), durationMs: z.number() })),
  },
  "logs.tail": {
    role: "operator",
    scope: "operator.read",
    says: "The newest lines of the log file, or what follows a cursor",
    params: once(() =>
      z.strictObject({
        cursor: count(),
        limit: z.int().min(1).max(5000).optional(),
        maxBytes: z.int().min(1).max(1_000_000).optional(),
      }),
    ),
    result: once(() => z.looseObject({ file: z.string(), cursor: z.int(), size: z.int(), lines: z.array(z.string()) })),
  },
  status: {
    role: "operator",
    scope: "operator.read",
    says: "Sessions, models and heartbeats at a glance",
    params: empty,
    result: once(() => z.looseObject({ sessions: z.looseObject({ count: z.int() }) })),
  },
  "usage.status": {
    role: "operator",
    scope: "operator.read",
    says: "Quota windows of the model providers, where they are known",
    params: empty,
    result: once(() => z.looseObject({ updatedAt: z.int(), providers: z.array(z.unknown()) })),
  },
  "usage.cost": {
    role: "operator",
    scope: "operator.read",
    says: "Tokens and cost by day",
    params: once(() => z.strictObject(usageDays())),
    result: once(() =>
      z.looseObject({ updatedAt: z.int(), days: z.int(), daily: z.array(UsageTotals()), totals: UsageTotals() }),
    ),
  },
  "usage.by": {
    role: "operator",
    scope: "operator.read",
    says: "Tokens and cost by agent, session, channel, person, job, model or provider; the most expensive first",
    params: once(() =>
      z.strictObject({
        dimension: z.enum(["agent", "session", "channel", "person", "job", "model", "provider"]),
        limit: z.int().min(1).max(1000).optional(),
        ...usageDays(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        dimension: z.string(),
        startDate: z.string(),
        endDate: z.string(),
        rows: z.array(UsageTotals().extend({ name: z.string(), calls: z.int() })),
        totals: UsageTotals(),
      }),
    ),
  },
  "usage.budgets": {
    role: "operator",
    scope: "operator.read",
    says: "Spending limits, what is spent of each and what is left",
    params: empty,
    result: once(() =>
      z.looseObject({
        updatedAt: z.int(),
        budgets: z.array(z.looseObject({ name: z.string(), scope: z.string(), period: z.string() })),
      }),
    ),
  },
  "config.get": {
    role: "operator",
    scope: "operator.read",
    says: "The configuration as typed and as understood, without secrets",
    params: empty,
    result: once(() =>
      z.looseObject({
        path: z.string(),
        exists: z.boolean(),
        valid: z.boolean(),
        config: z.unknown(),
        hash: z.string(),
      }),
    ),
  },
  "config.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the whole configuration file",
    params: once(() => z.strictObject({ raw: NonEmpty(), baseHash: text() })),
    result: ConfigWriteResult,
  },
  "config.apply": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the whole configuration file and applies it at once",
    params: ConfigWriteParams,
    result: ConfigWriteResult,
    controlPlane: true,
  },
  "config.patch": {
    role: "operator",
    scope: "operator.admin",
    says: "Merges an object into the configuration (null deletes a key) and applies it at once",
    params: ConfigWriteParams,
    result: ConfigWriteResult,
    controlPlane: true,
  },
  "config.schema": {
    role: "operator",
    scope: "operator.admin",
    says: "JSON Schema of the configuration, with hints for forms",
    params: empty,
    result: once(() => z.looseObject({ schema: z.unknown(), uiHints: z.unknown(), version: z.string() })),
  },
  "exec.approvals.get": {
    role: "operator",
    scope: "operator.admin",
    says: "The file of exec approvals: rules and allow-lists, without secrets",
    params: empty,
    result: ExecApprovals,
  },
  "exec.approvals.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the file of exec approvals; baseHash is the hash of the one it was made from",
    params: once(() => z.strictObject({ file: z.looseObject({}), baseHash: text() })),
    result: ExecApprovals,
  },
  "exec.approval.request": {
    role: "operator",
    scope: "operator.approvals",
    says: "Asks people whether a command may run; with twoPhase one response when they are asked, a second with the answer",
    params: ApprovalRequestParams,
    result: ApprovalOutcome,
  },
  "exec.approval.waitDecision": {
    role: "operator",
    scope: "operator.approvals",
    says: "Waits for the answer to a question; a decision of null means that nobody answered in time",
    params: once(() => z.strictObject({ id: NonEmpty() })),
    result: ApprovalOutcome,
  },
  "exec.approval.resolve": {
    role: "operator",
    scope: "operator.approvals",
    says: "Answers a question: allow-once, allow-always or deny; the first characters of its id are enough",
    params: once(() => z.strictObject({ id: NonEmpty(), decision: z.string() })),
    result: okResult,
  },
  "exec.approval.list": {
    role: "operator",
    scope: "operator.approvals",
    says: "Questions that wait for an answer, oldest first",
    params: empty,
    result: once(() =>
      z.object({
        ts: z.int(),
        pending: z.array(
          z.object({ id: z.string(), request: z.looseObject({}), createdAtMs: z.int(), expiresAtMs: z.int() }),
        ),
      }),
    ),
  },
  "models.list": {
    role: "operator",
    scope: "operator.read",
    says: "Models that can be used now",
    params: empty,
    result: once(() =>
      z.object({ models: z.array(z.looseObject({ id: z.string(), name: z.string(), provider: z.string() })) }),
    ),
  },
  "tools.catalog": {
    role: "operator",
    scope: "operator.read",
    says: "All tools there are, by family, with the profiles that include them",
    params: once(() => z.strictObject({ agentId: text(), includePlugins: flag() })),
    result: once(() =>
      z.looseObject({ agentId: z.string(), profiles: z.array(z.looseObject({})), groups: z.array(z.looseObject({})) }),
    ),
  },
  "tools.explain": {
    role: "operator",
    scope: "operator.read",
    says: "Whether a tool may be used in a session, and which layer of the policy decides it",
    params: once(() => z.strictObject({ tool: NonEmpty(), sessionKey: SessionKeyParam().optional(), agentId: text() })),
    result: once(() =>
      z.looseObject({
        tool: z.string(),
        allowed: z.boolean(),
        steps: z.array(z.looseObject({ layer: z.string(), verdict: z.string(), why: z.string() })),
      }),
    ),
  },
  "agents.list": {
    role: "operator",
    scope: "operator.read",
    says: "Agents and which of them is the default",
    params: empty,
    result: once(() =>
      z.object({
        defaultId: z.string(),
        mainKey: z.string(),
        scope: z.enum(["per-sender", "global"]),
        agents: z.array(z.looseObject({ id: z.string() })),
      }),
    ),
  },
  "agents.create": {
    role: "operator",
    scope: "operator.admin",
    says: "Adds an agent with a workspace of its own",
    params: once(() =>
      z.strictObject({
        name: NonEmpty().max(128),
        workspace: NonEmpty(),
        emoji: text(),
        avatar: text(),
        model: NonEmpty().optional(),
        agentDir: NonEmpty().optional(),
        bind: z.array(NonEmpty()).optional(),
      }),
    ),
    result: once(() =>
      z.looseObject({ ok: z.literal(true), agentId: z.string(), name: z.string(), workspace: z.string() }),
    ),
  },
  "agents.update": {
    role: "operator",
    scope: "operator.admin",
    says: "Changes what is given of an agent; the rest stays",
    params: once(() =>
      z.strictObject({
        agentId: AgentIdParam(),
        name: NonEmpty().max(128).optional(),
        workspace: NonEmpty().optional(),
        model: NonEmpty().optional(),
        avatar: text(),
        identity: z.strictObject({ name: text(), theme: text(), emoji: text(), avatar: text() }).optional(),
      }),
    ),
    result: once(() => z.looseObject({ ok: z.literal(true), agentId: z.string() })),
  },
  "agents.delete": {
    role: "operator",
    scope: "operator.admin",
    says: "Removes an agent; its files and sessions go to the trash folder of the state directory",
    params: once(() => z.strictObject({ agentId: AgentIdParam(), deleteFiles: flag() })),
    result: once(() => z.looseObject({ ok: z.literal(true), agentId: z.string(), removedBindings: z.int() })),
  },
  "agents.files.list": {
    role: "operator",
    scope: "operator.read",
    says: "The files of an agent's workspace that shape it",
    params: once(() => z.strictObject({ agentId: AgentIdParam() })),
    result: once(() => z.object({ agentId: z.string(), workspace: z.string(), files: z.array(WorkspaceFile()) })),
  },
  "agents.files.get": {
    role: "operator",
    scope: "operator.read",
    says: "One of these files with its text",
    params: once(() => z.strictObject({ agentId: AgentIdParam(), name: NonEmpty() })),
    result: once(() => z.object({ agentId: z.string(), workspace: z.string(), file: WorkspaceFile() })),
  },
  "agents.files.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the text of one of these files",
    params: once(() => z.strictObject({ agentId: AgentIdParam(), name: NonEmpty(), content: z.string() })),
    result: once(() =>
      z.object({ ok: z.literal(true), agentId: z.string(), workspace: z.string(), file: WorkspaceFile() }),
    ),
  },
  "sessions.list": {
    role: "operator",
    scope: "operator.read",
    says: "Sessions, newest first",
    params: SessionsListParams,
    result: once(() =>
      z.looseObject({ ts: z.int(), path: z.string(), count: z.int(), sessions: z.array(SessionRow()) }),
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
      z.looseObject({ ok: z.literal(true), path: z.string(), key: z.string(), entry: z.looseObject({}) }),
    ),
  },
  "sessions.reset": {
    role: "operator",
    scope: "operator.admin",
    says: "Starts the session anew; the old transcript is archived",
    params: once(() => z.strictObject({ key: SessionKeyParam(), reason: z.enum(["new", "reset"]).optional() })),
    result: once(() => z.looseObject({ ok: z.literal(true), key: z.string(), entry: z.looseObject({}) })),
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
    result: once(() => z.looseObject({ ok: z.literal(true), key: z.string(), compacted: z.boolean() })),
  },
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
  "sessions.rewind": {
    role: "operator",
    scope: "operator.write",
    says: "Goes back to a point (`to`) or by some messages of people (`turns`); what came after stays as a branch",
    params: once(() =>
      z.strictObject({ key: SessionKeyParam(), to: PointName().optional(), turns: z.int().min(1).optional() }),
    ),
    result: MovedResult,
  },
  "sessions.switch": {
    role: "operator",
    scope: "operator.write",
    says: "Goes on from any point of any branch: a checkpoint's name, an entry id or the beginning of one",
    params: once(() => z.strictObject({ key: SessionKeyParam(), to: PointName() })),
    result: MovedResult,
  },
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
        sessions: z.array(z.looseObject({ key: z.string(), usage: UsageTotals().nullable() })),
        totals: UsageTotals(),
        aggregates: z.looseObject({}),
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
        points: z.array(z.looseObject({ timestamp: z.number(), cumulativeTokens: z.number() })).max(200),
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
          }),
        ),
      }),
    ),
  },
  "runs.explain": {
    role: "operator",
    scope: "operator.read",
    says: "How a turn came about: route, prompt, models, tools, cost and delivery; by run or message id",
    params: once(() => z.strictObject({ id: NonEmpty().max(512) })),
    result: once(() =>
      z.looseObject({
        runId: z.string(),
        sessionKey: z.string(),
        state: z.enum(["queued", "running", "done"]),
        tools: z.array(z.looseObject({ name: z.string() })),
        usage: z.array(z.looseObject({ model: z.string(), cost: z.number() })),
        delivery: z.array(z.looseObject({ channel: z.string(), state: z.string() })),
      }),
    ),
  },
  "last-heartbeat": {
    role: "operator",
    scope: "operator.read",
    says: "What the last heartbeat did, or null",
    params: empty,
    result: once(() => z.looseObject({}).nullable()),
  },
  "device.pair.list": {
    role: "operator",
    scope: "operator.pairing",
    says: "Devices that wait for approval and devices that are paired",
    params: empty,
    result: once(() => z.object({ pending: z.array(z.looseObject({})), paired: z.array(z.looseObject({})) })),
  },
  "device.pair.approve": {
    role: "operator",
    scope: "operator.pairing",
    says: "Lets a waiting device in",
    params: RequestIdParams,
    result: once(() => z.looseObject({ requestId: z.string(), device: z.looseObject({}) })),
  },
  "device.pair.reject": {
    role: "operator",
    scope: "operator.pairing",
    says: "Turns a waiting device away",
    params: RequestIdParams,
    result: once(() => z.object({ requestId: z.string(), deviceId: z.string() })),
  },
  "device.pair.remove": {
    role: "operator",
    scope: "operator.pairing",
    says: "Forgets a paired device and closes its connections",
    params: once(() => z.strictObject({ deviceId: NonEmpty() })),
    result: once(() => z.object({ deviceId: z.string() })),
  },
  "device.token.rotate": {
    role: "operator",
    scope: "operator.pairing",
    says: "Gives a device a new token for a role and closes connections made with the old one",
    params: once(() =>
      z.strictObject({ deviceId: NonEmpty(), role: NonEmpty(), scopes: z.array(NonEmpty()).optional() }),
    ),
    result: once(() =>
      z.looseObject({ deviceId: z.string(), role: z.string(), token: z.string(), scopes: z.array(z.string()) }),
    ),
  },
  "device.token.revoke": {
    role: "operator",
    scope: "operator.pairing",
    says: "Takes a device's token for a role away and closes its connections",
    params: once(() => z.strictObject({ deviceId: NonEmpty(), role: NonEmpty() })),
    result: once(() => z.object({ deviceId: z.string(), role: z.string(), revokedAtMs: z.int() })),
  },
  "system-presence": {
    role: "operator",
    scope: "operator.read",
    says: "Who is connected",
    params: empty,
    result: once(() => z.array(PresenceEntry())),
  },
  "system-event": {
    role: "operator",
    scope: "operator.admin",
    says: "Notes an event for the main session and updates presence",
    params: SystemEventParams,
    result: okResult,
  },
  agent: {
    role: "operator",
    scope: "operator.write",
    says: "Runs a turn: one response when the message is safe, a second with the answer",
    params: AgentParams,
    result: once(() => z.looseObject({ runId: z.string(), status: z.enum(["accepted", "ok", "error"]) })),
  },
  "agent.identity.get": {
    role: "operator",
    scope: "operator.read",
    says: "Name and picture of an agent",
    params: once(() => z.strictObject({ agentId: text(), sessionKey: text() })),
    result: once(() => z.looseObject({ agentId: z.string() })),
  },
  "agent.wait": {
    role: "operator",
    scope: "operator.write",
    says: "Waits for a run to end",
    params: once(() => z.strictObject({ runId: NonEmpty(), timeoutMs: count() })),
    result: once(() => z.looseObject({ runId: z.string(), status: z.enum(["ok", "error", "timeout"]) })),
  },
  "chat.history": {
    role: "operator",
    scope: "operator.read",
    says: "The last messages of a session",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), limit: z.int().min(1).max(1000).optional() })),
    result: once(() => z.looseObject({ sessionKey: z.string(), messages: z.array(z.looseObject({})) })),
  },
  "chat.abort": {
    role: "operator",
    scope: "operator.write",
    says: "Stops one run, or all runs of a session",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), runId: NonEmpty().optional() })),
    result: once(() => z.object({ ok: z.literal(true), aborted: z.boolean(), runIds: z.array(z.string()) })),
  },
  "chat.send": {
    role: "operator",
    scope: "operator.write",
    says: "Sends a message; the answer comes as chat events",
    params: ChatSendParams,
    result: anyObject,
  },
  "chat.inject": {
    role: "operator",
    scope: "operator.admin",
    says: "Puts a message of the assistant into a session without asking a model",
    unlisted: true,
    params: once(() =>
      z.strictObject({ sessionKey: SessionKeyParam(), message: NonEmpty(), label: z.string().max(100).optional() }),
    ),
    result: once(() => z.object({ ok: z.literal(true), messageId: z.string() })),
  },
} as const satisfies Record<string, MethodSpec>;

export type MethodName = keyof typeof METHODS;
export type MethodParams<M extends MethodName> = Parsed<(typeof METHODS)[M]["params"]>;
export type MethodResult<M extends MethodName> = z.input<ReturnType<(typeof METHODS)[M]["result"]>>;
