// Methods of a page that shows a conversation: watch it, and read it by position.
import { modelOverrideOf, type SessionEntry, canonicalSessionKey } from "@chela/sdk";
import {
  type CONVERSATION_METHODS,
  MAX_WATCHED,
  type ShownMessage,
  type WatchedRun,
  type WatchSnapshot,
  invalid,
  type Handlers,
} from "@chela/sdk/protocol";
import { SessionFollower } from "../conversation/session-follower.ts";
import { showEntry } from "../conversation/show-entry.ts";
import type { House } from "../../house/house.ts";
import { saidNow, type LiveRun } from "../live/live-runs.ts";

type ConversationMethods = Pick<Handlers, keyof typeof CONVERSATION_METHODS>;

/** A page is shorter than was asked for rather than larger than this. */
const MAX_PAGE_CHARS = 6 * 1024 * 1024;
const MOST_RUNS = 50;

export function conversationMethods(gateway: House): ConversationMethods {
  const { ledger, hub, watchers, liveRuns, log, sessionPaths: paths } = gateway;
  const follower = new SessionFollower({ ledger, paths, hub, watchers, liveRuns, log });
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };

  return {
    async "chat.watch"({ sessionKey: written }, { client }) {
      const sessionKey = keyOf(written);
      const waiting = await readWaiting(gateway, sessionKey);
      const entry = await ledger.session(sessionKey);
      return follower.follow(sessionKey, ({ sessionId, tip: { total, leafId } }): WatchSnapshot => {
        if (!watchers.add(client, sessionKey)) {
          throw invalid(`a connection may watch ${MAX_WATCHED} sessions; end one with chat.unwatch first`);
        }
        const id = sessionId === undefined ? {} : { sessionId };
        const runs = runsNow(liveRuns.answering(sessionKey), waiting, gateway.lanes.runIds(sessionKey));
        return { sessionKey, ...id, total, leafId, settings: settingsOf(entry), runs, seq: hub.seqOf(client) };
      });
    },

    "chat.unwatch"({ sessionKey }, { client }) {
      watchers.remove(client, keyOf(sessionKey));
      return { ok: true as const };
    },

    async "chat.page"({ sessionKey: written, from, limit }) {
      const sessionKey = keyOf(written);
      const entry = await ledger.session(sessionKey);
      if (!entry) return { sessionKey, total: 0, leafId: null, from, messages: [] };
      const { sessionId } = entry;
      const { tip, entries } = await paths.page(sessionId, from, limit);
      const messages = withinBounds(entries.map((one) => showEntry(one)));
      return { sessionKey, sessionId, total: tip.total, leafId: tip.leafId, from, messages };
    },

    async "chat.entry"({ sessionKey: written, id }) {
      const entry = await ledger.session(keyOf(written));
      const found = entry && (await paths.find(entry.sessionId, id));
      if (!found) throw invalid(`there is no entry ${id} in session ${written}`);
      return showEntry(found, true);
    },
  };
}

function withinBounds(messages: readonly ShownMessage[]): ShownMessage[] {
  let chars = 0;
  const end = messages.findIndex((message, at) => (chars += JSON.stringify(message).length) > MAX_PAGE_CHARS && at > 0);
  return end < 0 ? [...messages] : messages.slice(0, end);
}

/** Messages that wait for their turn; of the gateway's own work nobody is told. */
async function readWaiting({ ledger, lanes }: House, sessionKey: string): Promise<Map<string, WatchedRun>> {
  const waiting = new Map<string, WatchedRun>();
  for (const runId of lanes.runIds(sessionKey).slice(0, MOST_RUNS)) {
    const record = await ledger.run(runId);
    if (!record || record.message.body["chore"] !== undefined) continue;
    const { admittedAt, channel, body } = record.message;
    const told = { runId, admittedAt, channel, text: "", thinking: "", tools: [] };
    // What has begun stands in the transcript, and would be shown twice.
    const hasBegun = record.startedAt !== undefined;
    const state = hasBegun ? { state: "running" as const } : { state: "queued" as const, userText: textOf(body) };
    waiting.set(runId, { ...told, ...state });
  }
  return waiting;
}

function textOf(body: Readonly<Record<string, unknown>>): string {
  return String(body["text"] ?? "");
}

function runsNow(
  answering: readonly LiveRun[],
  waiting: ReadonlyMap<string, WatchedRun>,
  runIds: readonly string[],
): WatchedRun[] {
  const running = answering.map((run): WatchedRun => {
    const { userText: _, ...known } = waiting.get(run.runId) ?? {};
    const startedAt = run.startedAt === undefined ? {} : { startedAt: run.startedAt };
    const tools = [...run.tools.values()].map((tool) => ({ ...tool }));
    return { ...known, runId: run.runId, state: "running", ...startedAt, ...saidNow(run), tools };
  });
  const isRunning = new Set(running.map(({ runId }) => runId));
  return [...running, ...runIds.flatMap((runId) => (isRunning.has(runId) ? [] : (waiting.get(runId) ?? [])))];
}

const SETTINGS = [
  "thinkingLevel",
  "verboseLevel",
  "reasoningLevel",
  "elevatedLevel",
  "responseUsage",
  "sendPolicy",
  "queueMode",
  "label",
  "displayName",
  "channel",
  "chatType",
  "spawnedBy",
  "updatedAt",
  "totalTokens",
  "totalTokensFresh",
  "contextTokens",
  "compactionCount",
  "model",
] as const;

function settingsOf(entry: SessionEntry | undefined): WatchSnapshot["settings"] {
  const settings: Record<string, unknown> = {};
  for (const name of SETTINGS) if (entry?.[name] !== undefined) settings[name] = entry[name];
  const chosen = modelOverrideOf(entry);
  return {
    ...settings,
    ...(entry?.modelProvider ? { provider: entry.modelProvider } : {}),
    ...(chosen ? { modelOverride: chosen } : {}),
  };
}
