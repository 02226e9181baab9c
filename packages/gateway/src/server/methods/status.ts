// Method that tells how the gateway is at a glance: sessions, agents, channels, what waits to be heard of.
import { sessionKind, type SessionEntry, mainSessionKey } from "@chela/sdk";
import type { Handlers } from "@chela/sdk/protocol";
import { configuredChannels } from "../../rooms/channels/accounts.ts";
import { isWaitingEvent } from "../../rooms/heartbeat/waiting-events.ts";
import type { House } from "../../house/house.ts";
import { storePath } from "../../rooms/sessions/methods/sessions.ts";

const MOST_COUNTED = 1000;

export function statusMethods(gateway: House): Pick<Handlers, "status"> {
  return {
    async status(_params, call) {
      const snapshot = await gateway.health.get();
      const rows = await recentRows(gateway);
      const isAdmin = call.client.scopes.includes("operator.admin");
      const { model } = await gateway.models.defaultModel();
      const agents = snapshot["agents"] as ReadonlyArray<{ agentId: string }>;
      return {
        runtimeVersion: gateway.version,
        heartbeat: {
          defaultAgentId: snapshot["defaultAgentId"],
          agents: agents.map(({ agentId }) => {
            const { enabled, every, everyMs } = gateway.heartbeat.settings(agentId);
            return { agentId, enabled, every, everyMs };
          }),
        },
        ...(await channelsAtAGlance(gateway)),
        queuedSystemEvents: isAdmin ? await waitingEvents(gateway) : [],
        sessions: {
          paths: isAdmin ? agents.map(({ agentId }) => storePath(gateway, agentId)) : [],
          count: await gateway.ledger.countSessions(),
          defaults: isAdmin
            ? { model: model.id, contextTokens: await gateway.usedWindow(model) }
            : { model: null, contextTokens: null },
          recent: isAdmin ? rows : [],
          byAgent: await Promise.all(
            agents.map(async ({ agentId }) => ({
              agentId,
              path: isAdmin ? storePath(gateway, agentId) : "[redacted]",
              // Not the snapshot's, which may be a minute old and would not fit the sum above.
              count: await gateway.ledger.countSessions(agentId),
              recent: isAdmin ? rows.filter((row) => row.agentId === agentId) : [],
            })),
          ),
        },
      };
    },
  };
}

/** Nothing of channels is loaded while none is configured. */
async function channelsAtAGlance(gateway: House) {
  const undeliverable = (await gateway.ledger.deliveries({ state: "undeliverable", limit: MOST_COUNTED })).length;
  const deliveries = { undeliverable };
  if (configuredChannels(gateway.config.current()).length === 0) return { channelSummary: [], deliveries };
  const { channelLines, glanceAtChannels } = await import("../../rooms/channels/glance.ts");
  const { channels } = await gateway.channels();
  return { channelSummary: channelLines(await glanceAtChannels(channels)), deliveries };
}

/** What the main session's agent has not heard of yet. */
async function waitingEvents({ ledger, keys }: House): Promise<string[]> {
  const asides = await ledger.asides(mainSessionKey(keys().defaultAgentId, keys()));
  return asides.filter(isWaitingEvent).map(({ body }) => String(body["text"]));
}

async function recentRows(gateway: House) {
  const now = gateway.clock.now();
  const rows = await gateway.ledger.sessions({ limit: 10 });
  return rows.map(({ key, entry }) => statusRow(key, entry, now));
}

const LEVELS = ["thinkingLevel", "fastMode", "verboseLevel", "reasoningLevel", "elevatedLevel"] as const;

/** What was set for the session and does not go by its agent. */
function levelsOf(entry: SessionEntry): Partial<SessionEntry> {
  return Object.fromEntries(LEVELS.flatMap((level) => (entry[level] === undefined ? [] : [[level, entry[level]]])));
}

function statusRow(key: string, entry: SessionEntry, now: number) {
  const contextTokens = entry.contextTokens ?? null;
  const totalTokens = entry.totalTokens ?? null;
  const used = contextTokens && totalTokens !== null ? Math.round((totalTokens / contextTokens) * 100) : null;
  return {
    agentId: /^agent:([^:]+):/.exec(key)?.[1],
    key,
    kind: sessionKind(key),
    sessionId: entry.sessionId,
    updatedAt: entry.updatedAt,
    age: now - entry.updatedAt,
    ...levelsOf(entry),
    systemSent: entry.systemSent ?? false,
    abortedLastRun: entry.abortedLastRun ?? false,
    ...(entry.inputTokens === undefined ? {} : { inputTokens: entry.inputTokens }),
    ...(entry.outputTokens === undefined ? {} : { outputTokens: entry.outputTokens }),
    totalTokens,
    totalTokensFresh: entry.totalTokensFresh ?? false,
    remainingTokens: contextTokens !== null && totalTokens !== null ? contextTokens - totalTokens : null,
    percentUsed: used,
    model: entry.model ?? null,
    contextTokens,
    flags: [...(entry.systemSent ? ["system"] : []), `id:${entry.sessionId}`],
  };
}
