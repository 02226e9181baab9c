// Methods that tell what single sessions used: sums, how they grew, and message by message.
import { defined } from "@chela/sdk/base";
import { agentOfSessionKey, type SessionEntry, type UsageRange, canonicalSessionKey } from "@chela/sdk";
import { join } from "node:path";
import { type SESSION_USAGE_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { Activity } from "./usage/activity.ts";
import { readDays, type Days } from "./usage/days.ts";
import { totalsOf } from "./usage/totals.ts";
import { growthOf } from "./usage/growth.ts";
import { messagesOf, type SeenMessage } from "./usage/transcript-messages.ts";

type SessionUsageHouse = Pick<House, "clock" | "keys" | "ledger" | "stateDir">;
type SessionUsageMethods = Pick<Handlers, keyof typeof SESSION_USAGE_METHODS>;

const USUAL_SESSIONS = 50;
const MOST_GROUPS = 1000;
const LONGEST_TEXT = 4000;
const LONGEST_ARGUMENTS = 500;

export function sessionUsageMethods(gateway: SessionUsageHouse): SessionUsageMethods {
  const { ledger, clock } = gateway;
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };
  const sessionOf = (written: string): Promise<SessionEntry | undefined> => ledger.session(keyOf(written));

  return {
    async "sessions.usage"({ key: written, limit = USUAL_SESSIONS, includeContextWeight = false, ...asked }) {
      const now = clock.now();
      const days = readDays(asked, now);
      const key = written === undefined ? undefined : keyOf(written);
      const all = new Activity(days);
      const sessions = [];
      for (const row of await chooseSessions(gateway, days, key, limit)) {
        const activity = new Activity(days);
        await activity.addAll(messagesOf(ledger, row.entry.sessionId));
        all.include(activity);
        const usage = await summaryOf(gateway, row, days, activity);
        const weight = includeContextWeight ? { contextWeight: row.entry.systemPromptReport ?? null } : {};
        sessions.push({ ...describeSession(row.key, row.entry), usage, ...weight });
      }
      const range: UsageRange = { from: days.from, to: days.to, ...(key ? { of: { session: key } } : {}) };
      const totals = totalsOf([await ledger.usageTotal(range)]);
      const aggregates = await aggregatesOf(gateway, range, days, all);
      return { updatedAt: now, startDate: days.startDate, endDate: days.endDate, sessions, totals, aggregates };
    },

    async "sessions.usage.timeseries"({ key }) {
      const entry = await sessionOf(key);
      if (!entry) return { points: [] };
      return { sessionId: entry.sessionId, points: await growthOf(messagesOf(ledger, entry.sessionId)) };
    },

    async "sessions.usage.logs"({ key, limit = 200 }) {
      const entry = await sessionOf(key);
      const logs: Array<ReturnType<typeof logLines>[number]> = [];
      if (!entry) return { logs };
      for await (const message of messagesOf(ledger, entry.sessionId)) {
        logs.push(...logLines(message));
        if (logs.length > limit * 2) logs.splice(0, logs.length - limit);
      }
      return { logs: logs.slice(-limit) };
    },
  };
}

interface Chosen {
  readonly key: string;
  readonly entry: SessionEntry;
}

/** Sessions that were used or cost something in these days, newest first. */
async function chooseSessions(
  { ledger }: SessionUsageHouse,
  days: Days,
  key: string | undefined,
  limit: number,
): Promise<Chosen[]> {
  if (key !== undefined) {
    const entry = await ledger.session(key);
    return entry ? [{ key, entry }] : [];
  }
  const chosen = new Map<string, SessionEntry>();
  for (const { name } of await ledger.usageBy("session", { from: days.from, to: days.to }, limit)) {
    const entry = await ledger.session(name);
    if (entry) chosen.set(name, entry);
  }
  const used = await ledger.sessions({ updatedSince: days.from, includeGlobal: true, limit });
  for (const row of used) chosen.set(row.key, row.entry);
  return [...chosen]
    .map(([name, entry]) => ({ key: name, entry }))
    .toSorted((a, b) => b.entry.updatedAt - a.entry.updatedAt)
    .slice(0, limit);
}

function describeSession(key: string, entry: SessionEntry) {
  const { sessionId, updatedAt, label, chatType, origin, modelOverride, providerOverride } = entry;
  const channel = entry.channel ?? entry.lastChannel ?? origin?.provider;
  const { modelProvider, model } = entry;
  const agentId = agentOfSessionKey(key);
  const optional = { label, agentId, channel, chatType, origin, modelOverride, providerOverride, modelProvider, model };
  const said = defined(optional);
  return { key, sessionId, updatedAt, ...said };
}

async function summaryOf(
  { ledger, stateDir }: SessionUsageHouse,
  { key, entry }: Chosen,
  days: Days,
  activity: Activity,
) {
  const { from, to, offsetMinutes } = days;
  const of = { session: key };
  const daily = await ledger.usageByDay({ from, to, of, offsetMinutes });
  if (daily.length === 0 && activity.isEmpty) return null;
  const transcript = await ledger.transcript(entry.sessionId);
  const file = transcript && join(stateDir, "agents", transcript.agentId, "sessions", transcript.file);
  const { latency } = activity;
  return {
    ...totalsOf(daily),
    sessionId: entry.sessionId,
    ...(file ? { sessionFile: file } : {}),
    ...activity.span,
    activityDates: activity.dates,
    dailyBreakdown: daily.map((day) => ({ date: day.date, ...tokensAndCost(totalsOf([day])) })),
    dailyMessageCounts: activity.dailyMessageCounts,
    dailyLatency: activity.dailyLatency,
    dailyModelUsage: activity.dailyModelUsage,
    messageCounts: activity.messageCounts,
    toolUsage: activity.toolUsage,
    modelUsage: await modelsOf(ledger, { from, to, of }),
    ...(latency ? { latency } : {}),
  };
}

function tokensAndCost({ totalTokens, totalCost }: ReturnType<typeof totalsOf>) {
  return { tokens: totalTokens, cost: totalCost };
}

async function modelsOf(ledger: House["ledger"], range: UsageRange) {
  const groups = await ledger.usageBy("model", range, MOST_GROUPS);
  return groups.map((group) => {
    const slash = group.name.indexOf("/");
    const [provider, model] = [group.name.slice(0, slash), group.name.slice(slash + 1)];
    return { provider, model, count: group.calls, totals: totalsOf([group]) };
  });
}

async function aggregatesOf({ ledger }: SessionUsageHouse, range: UsageRange, days: Days, activity: Activity) {
  const by = (dimension: "provider" | "agent" | "channel") => ledger.usageBy(dimension, range, MOST_GROUPS);
  const spent = await ledger.usageByDay({ ...range, offsetMinutes: days.offsetMinutes });
  const counts = new Map(activity.dailyMessageCounts.map((day) => [day.date, day]));
  const costs = new Map(spent.map((day) => [day.date, tokensAndCost(totalsOf([day]))]));
  const dates = [...new Set([...counts.keys(), ...costs.keys()])].toSorted();
  const { latency } = activity;
  return {
    messages: activity.messageCounts,
    tools: activity.toolUsage,
    byModel: await modelsOf(ledger, range),
    byProvider: (await by("provider")).map((one) => ({
      provider: one.name,
      count: one.calls,
      totals: totalsOf([one]),
    })),
    byAgent: (await by("agent")).map((one) => ({ agentId: one.name, totals: totalsOf([one]) })),
    byChannel: (await by("channel")).map((one) => ({ channel: one.name, totals: totalsOf([one]) })),
    ...(latency ? { latency } : {}),
    dailyLatency: activity.dailyLatency,
    modelDaily: activity.dailyModelUsage,
    daily: dates.map((date) => {
      const { total = 0, toolCalls = 0, errors = 0 } = counts.get(date) ?? {};
      return { date, ...(costs.get(date) ?? { tokens: 0, cost: 0 }), messages: total, toolCalls, errors };
    }),
  };
}

function logLines({ at, role, text, calls, spent }: SeenMessage) {
  const said = text === "" && calls.length > 0 ? [] : [{ role, content: shorten(text, LONGEST_TEXT) }];
  const called = calls.map((call) => ({
    role: "tool" as const,
    content: `${call.name} ${shorten(JSON.stringify(call.arguments ?? {}), LONGEST_ARGUMENTS)}`,
  }));
  // What a step cost is told once, with its first line.
  return [...said, ...called].map((line, index) => ({
    timestamp: at,
    ...line,
    ...(spent && index === 0 ? { tokens: spent.tokens, cost: spent.cost } : {}),
  }));
}

function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
