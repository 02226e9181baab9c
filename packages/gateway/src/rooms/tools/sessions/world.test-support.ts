// Helpers for tests of the session tools: a ledger with sessions, the six tools on it, a record of what they touched.
import type { Change, Logger, SessionEntry, Tool, ToolContext, ToolOutput, TranscriptEntry } from "@chela/sdk";
import { createMemoryLedger } from "@chela/sdk/testing";
import type { SendOutcome, SendRequest, SessionToolParts, SessionToolSettings } from "./parts.ts";
import {
  agentsListTool,
  sessionsHistoryTool,
  sessionsListTool,
  sessionsSearchTool,
  sessionsSendTool,
  sessionStatusTool,
} from "./session-tools.ts";
import { MODEL, OWNER } from "../toolbox.test-support.ts";

export const NOW = Date.UTC(2026, 1, 26, 10, 0);

export interface SeedSession {
  readonly key: string;
  readonly entry?: Partial<SessionEntry>;
  /** Entries beside id, parent and time; each hangs on the one before it. */
  readonly entries?: ReadonlyArray<{ readonly type: string; readonly id: string; readonly [field: string]: unknown }>;
}

export interface WorldOptions {
  readonly sessions: readonly SeedSession[];
  readonly settings?: Partial<SessionToolSettings>;
  readonly agents?: readonly { readonly id: string; readonly name?: string }[];
  readonly parts?: Partial<SessionToolParts>;
}

export async function openWorld({ sessions, settings = {}, agents = [{ id: "main" }], parts: over }: WorldOptions) {
  const ledger = createMemoryLedger();
  for (const [index, seed] of sessions.entries()) await ledger.commit(changesFor(seed, index));
  /** Every session id, key or run that something was read from or written to, beside index rows. */
  const touched: string[] = [];
  const sent: SendRequest[] = [];
  const logged: string[] = [];
  const parts: SessionToolParts = {
    session: (key) => ledger.session(key),
    sessions: (query) => ledger.sessions(query),
    settings: () => ({ isConfined: false, defaultAgentId: "main", ...settings }),
    canonicalKey: canonical,
    mainKey: (agentId) => `agent:${agentId}:main`,
    agents: () => agents,
    async history({ sessionId, limit, entryId }) {
      touched.push(`history of ${sessionId}`);
      const newest = (await ledger.entries(sessionId, { newest: 1 }))[0];
      const last = entryId ?? (newest && (JSON.parse(newest.line) as TranscriptEntry).id);
      const stored = last === undefined ? [] : await ledger.branch(sessionId, last, limit);
      return stored.map(({ line }) => JSON.parse(line) as TranscriptEntry);
    },
    search: async () => ({ hits: [], hasMore: false }),
    async modelOf(_agentId, entry) {
      return entry?.modelOverride ?? "demo/first";
    },
    async setModel(key, ref) {
      touched.push(`model of ${key}`);
      const entry = await ledger.session(key);
      if (entry && ref !== "demo/none") {
        await ledger.commit([{ kind: "session-put", key, entry: { ...entry, modelOverride: ref ?? undefined } }]);
        return { kind: "set" };
      }
      return { kind: "refused", why: "There is no model of that name." };
    },
    async usage(key) {
      touched.push(`usage of ${key}`);
      return { tokens: 1234, cost: 0.5 };
    },
    now: () => NOW,
    async send(request) {
      touched.push(`message to ${request.sessionKey}`);
      sent.push(request);
      return { runId: `run-${sent.length}`, status: "ok", reply: "REPLY_SKIP" } satisfies SendOutcome;
    },
    waitFor: async (runId) => ({ runId, status: "timeout" }),
    announce: async (key) => void touched.push(`announcement in ${key}`),
    log: quietLog(logged),
    ...over,
  };
  const tools: readonly Tool[] = [
    sessionsListTool(parts),
    sessionsHistoryTool(parts),
    sessionsSearchTool(parts),
    sessionsSendTool(parts),
    sessionStatusTool(parts),
    agentsListTool(parts),
  ];
  return {
    ledger,
    tools,
    touched,
    sent,
    logged,
    /** Arguments go through the tool's own schema, as in the gateway. */
    async call(name: string, args: Record<string, unknown> = {}, from: Partial<ToolContext> = {}) {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`no tool ${name}`);
      return tool.run(tool.parameters().parse(args), contextWith(from));
    },
  };
}

function contextWith(over: Partial<ToolContext> = {}): ToolContext {
  return {
    agentId: "main",
    sessionKey: "agent:main:main",
    runId: "run",
    toolCallId: "call",
    requester: OWNER,
    workspace: "/workspace",
    model: MODEL,
    signal: new AbortController().signal,
    update: () => {},
    ...over,
  };
}

export function textOf(output: ToolOutput): string {
  return output.content.map((block) => (block.type === "text" ? String(block["text"]) : "")).join("");
}

/** The answer as the model reads it. */
export function jsonOf(output: ToolOutput): Record<string, unknown> {
  return JSON.parse(textOf(output)) as Record<string, unknown>;
}

export function userSays(id: string, text: string) {
  return { type: "message", id, message: { role: "user", content: text, timestamp: NOW } };
}

export function agentSays(id: string, content: ReadonlyArray<Record<string, unknown>>) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost };
  const about = { api: "demo", provider: "demo", model: "first", usage, stopReason: "stop", timestamp: NOW };
  return { type: "message", id, message: { role: "assistant", content, ...about } };
}

function changesFor({ key, entry = {}, entries = [] }: SeedSession, index: number): Change[] {
  const sessionId = entry.sessionId ?? `id-of-${key}`;
  const timestamp = new Date(NOW).toISOString();
  const header = { type: "session" as const, version: 3, id: sessionId, timestamp };
  const lines = entries.map(({ type, id, ...rest }, at) => ({
    id,
    line: JSON.stringify({ type, id, parentId: entries[at - 1]?.id ?? null, timestamp, ...rest }),
  }));
  return [
    { kind: "transcript-open", sessionId, sessionKey: key, agentId: "any", header, file: `${sessionId}.jsonl` },
    { kind: "session-put", key, entry: { sessionId, updatedAt: NOW - index * 60_000, ...entry } },
    { kind: "entries-append", sessionId, entries: lines },
  ];
}

function canonical(agentId: string, written: string): string | undefined {
  const key = written.trim().toLowerCase();
  if (key === "" || /[\s/\\]|\.\./.test(key)) return undefined;
  if (/^(agent:|hook:|node-)/.test(key) || key === "global" || key === "unknown") return key;
  return `agent:${agentId}:${key}`;
}

function quietLog(logged: string[]): Logger {
  const write = (line: string): void => void logged.push(line);
  const log: Logger = {
    log: (_level, line) => write(line),
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    child: () => log,
  };
  return log;
}
