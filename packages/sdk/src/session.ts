// One row of the session index: everything we know of a conversation besides its transcript.
import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

const Route = () =>
  z.looseObject({
    channel: z.string().optional(),
    to: z.string().optional(),
    accountId: z.string().optional(),
    threadId: z.union([z.string(), z.number()]).optional(),
  });

const Origin = () =>
  z.looseObject({
    label: z.string().optional(),
    provider: z.string().optional(),
    surface: z.string().optional(),
    chatType: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    accountId: z.string().optional(),
    threadId: z.union([z.string(), z.number()]).optional(),
  });

/** What /think, /model, /queue and the like have set for one session. */
const choicesOfASession = () => ({
  thinkingLevel: z.string().optional(),
  verboseLevel: z.string().optional(),
  reasoningLevel: z.string().optional(),
  elevatedLevel: z.string().optional(),
  ttsAuto: z.string().optional(),
  execHost: z.string().optional(),
  execSecurity: z.string().optional(),
  execAsk: z.string().optional(),
  execNode: z.string().optional(),
  responseUsage: z.enum(["on", "off", "tokens", "full"]).optional(),
  providerOverride: z.string().optional(),
  modelOverride: z.string().optional(),
  authProfileOverride: z.string().optional(),
  authProfileOverrideSource: z.enum(["auto", "user"]).optional(),
  authProfileOverrideCompactionCount: z.number().optional(),
  groupActivation: z.enum(["mention", "always"]).optional(),
  groupActivationNeedsSystemIntro: z.boolean().optional(),
  sendPolicy: z.enum(["allow", "deny"]).optional(),
  queueMode: z.string().optional(),
  queueDebounceMs: z.number().optional(),
  queueCap: z.number().optional(),
  queueDrop: z.string().optional(),
});

/** Loose on purpose: fields written by other versions survive a round trip. */
export const SessionEntry = once(() =>
  z.looseObject({
    sessionId: z.string(),
    updatedAt: z.number(),
    sessionFile: z.string().optional(),
    systemSent: z.boolean().optional(),
    abortedLastRun: z.boolean().optional(),
    abortCutoffMessageSid: z.string().optional(),
    abortCutoffTimestamp: z.number().optional(),
    chatType: z.enum(["direct", "group", "channel"]).optional(),
    ...choicesOfASession(),
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    totalTokens: z.number().optional(),
    totalTokensFresh: z.boolean().optional(),
    cacheRead: z.number().optional(),
    cacheWrite: z.number().optional(),
    modelProvider: z.string().optional(),
    model: z.string().optional(),
    fallbackNoticeSelectedModel: z.string().optional(),
    fallbackNoticeActiveModel: z.string().optional(),
    fallbackNoticeReason: z.string().optional(),
    contextTokens: z.number().optional(),
    compactionCount: z.number().optional(),
    memoryFlushAt: z.number().optional(),
    memoryFlushCompactionCount: z.number().optional(),
    cliSessionIds: z.record(z.string(), z.string()).optional(),
    claudeCliSessionId: z.string().optional(),
    label: z.string().optional(),
    displayName: z.string().optional(),
    channel: z.string().optional(),
    groupId: z.string().optional(),
    subject: z.string().optional(),
    groupChannel: z.string().optional(),
    space: z.string().optional(),
    origin: Origin().optional(),
    deliveryContext: Route().optional(),
    lastChannel: z.string().optional(),
    lastTo: z.string().optional(),
    lastAccountId: z.string().optional(),
    lastThreadId: z.union([z.string(), z.number()]).optional(),
    lastHeartbeatText: z.string().optional(),
    lastHeartbeatSentAt: z.number().optional(),
    spawnedBy: z.string().optional(),
    forkedFromParent: z.boolean().optional(),
    spawnDepth: z.number().optional(),
    spawnedWorkspaceDir: z.string().optional(),
    subagentRole: z.string().optional(),
    subagentControlScope: z.string().optional(),
    parentSessionKey: z.string().optional(),
    fastMode: z.boolean().optional(),
    /** How its last turn ended; `running` while one is under way. */
    status: z.string().optional(),
    startedAt: z.number().optional(),
    endedAt: z.number().optional(),
    runtimeMs: z.number().optional(),
    /** Of all turns since the conversation began. */
    estimatedCostUsd: z.number().optional(),
    skillsSnapshot: z.unknown().optional(),
    /** Tools it had to search for and has used: it is told of them from then on. */
    usedTools: z.array(z.string()).optional(),
    systemPromptReport: z.unknown().optional(),
    acp: z.unknown().optional(),
    /** What the last turn was told about thinking, and who asked it. */
    lastThinkingLevel: z.string().optional(),
    lastSenderId: z.string().optional(),
  }),
);
export type SessionEntry = Parsed<typeof SessionEntry>;

export type SessionKind = "direct" | "group" | "global" | "unknown";

/** Which kind of conversation a session key names. */
export function sessionKind(key: string): SessionKind {
  if (key === "global") return "global";
  if (key === "unknown") return "unknown";
  return /:(group|channel):/.test(key) ? "group" : "direct";
}

/** Runs of a cron job and heartbeats have sessions of their own, which lists leave out. */
export function isHiddenSession(key: string): boolean {
  return /:cron:[^:]+:run:|^agent:[^:]+:heartbeat:/.test(key);
}

/** `agent:<id>:…` → id; undefined for keys that belong to no agent (`global`, `hook:…`, `node-…`). */
export function agentOfSessionKey(key: string): string | undefined {
  return /^agent:([^:]+):./.exec(key)?.[1];
}

/** The model a session was switched to, as a reference; undefined when it goes by its agent's choice. */
export function modelOverrideOf(
  entry: Pick<SessionEntry, "modelOverride" | "providerOverride"> | undefined,
): string | undefined {
  return entry?.modelOverride ? `${entry.providerOverride ?? ""}/${entry.modelOverride}` : undefined;
}

export const AGENT_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Agent ids are lowercase; what cannot stand in one becomes a dash. Nothing left means "main". */
export function normalizeAgentId(id: string): string {
  const normal = id
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, 64);
  return AGENT_ID.test(normal) ? normal : "main";
}

/** The same for a name that somebody wrote down to mean one agent: what is no name at all does not become "main". */
export function namedAgentId(written: string): string {
  const id = normalizeAgentId(written);
  const name = written.trim();
  return id === "main" && name.toLowerCase() !== "main" ? name : id;
}
