// Methods that tell how the gateway is: health, status, presence, log.
import { sessionKind, type SessionEntry, mainSessionKey } from "@chela/sdk";
import { type MethodParams, type PresenceEntry, invalid, type Handlers, mayRead } from "@chela/sdk/protocol";
import { configuredChannels } from "../../rooms/channels/accounts.ts";
import { isWaitingEvent } from "../../rooms/heartbeat/waiting-events.ts";
import type { House } from "../../house/house.ts";
import { glimpseOf } from "../health.ts";
import { broadcastPresence } from "../welcome.ts";
import { storePath, usedWindow } from "./sessions.ts";

const MOST_COUNTED = 1000;
/** What of a node's beacon is news when it differs. */
const BEACON_FIELDS = ["host", "ip", "version", "mode", "reason"] as const;

type SystemMethods = Pick<Handlers, "health" | "status" | "system-presence" | "gateway.identity.get" | "system-event">;

export function systemMethods(gateway: House): SystemMethods {
  return {
    async health({ probe }, { client }) {
      return mayRead(client) ? gateway.health.get(probe) : glimpseOf(await gateway.health.get());
    },

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
            ? { model: model.id, contextTokens: usedWindow(gateway, model) }
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

    "system-presence": () => gateway.presence.list(),

    async "gateway.identity.get"() {
      const { loadOwnIdentity } = await import("../../rooms/devices/own-identity.ts");
      const { deviceId, publicKey } = loadOwnIdentity(gateway);
      return { deviceId, publicKey };
    },

    async "system-event"(params) {
      const key = params.deviceId ?? params.instanceId ?? params.host ?? params.text;
      const { text, ...fields } = params;
      if (!text.trim()) throw invalid("text required");
      const isToldOf = isNews(params, gateway.presence.get(key));
      gateway.presence.put(key, { ...JSON.parse(JSON.stringify(fields)), text });
      if (isToldOf) await tellAgent(gateway, text);
      broadcastPresence(gateway);
      return { ok: true as const };
    },
  };
}

/** Nothing of channels is loaded while none is configured. */
async function channelsAtAGlance(gateway: House) {
  const undeliverable = (await gateway.ledger.deliveries({ state: "undeliverable", limit: MOST_COUNTED })).length;
  const deliveries = { undeliverable };
  if (configuredChannels(gateway.config.current()).length === 0) return { channelSummary: [], deliveries };
  const { channelLines, glanceAtChannels } = await import("../channels/glance.ts");
  const { channels } = await gateway.channels();
  return { channelSummary: channelLines(await glanceAtChannels(channels)), deliveries };
}

/** Beacons that only say "still here" are for presence, not for the conversation. */
function isNews(params: MethodParams<"system-event">, before: PresenceEntry | undefined): boolean {
  if (/^(periodic|heartbeat)/.test(params.reason ?? "")) return false;
  if (!params.text.startsWith("Node:")) return true;
  return BEACON_FIELDS.some((field) => params[field] !== undefined && params[field] !== before?.[field]);
}

/** The agent hears of it with its next turn or heartbeat. */
async function tellAgent({ wake, keys, ids }: House, text: string): Promise<void> {
  const key = `system-event:${ids.uuid()}`;
  const agentId = keys().defaultAgentId;
  await wake({ agentId, text, mode: "next-heartbeat", reason: "system-event", key, standing: "owner" });
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
