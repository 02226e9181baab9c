// Methods that tell how the gateway is: health, status, presence, log.
import { sessionKind, type SessionEntry } from "@chela/sdk";
import { configuredChannels } from "../../channels/accounts.ts";
import { mainSessionKey } from "../../routing/room.ts";
import { invalid, type Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";
import { storePath } from "./sessions.ts";

const MOST_COUNTED = 1000;

type SystemMethods = Pick<Handlers, "health" | "status" | "system-presence" | "system-event" | "last-heartbeat">;

export function systemMethods(gateway: GatewayParts): SystemMethods {
  return {
    health: ({ probe }) => gateway.health.get(probe),

    async status(_params, call) {
      const snapshot = await gateway.health.get();
      const rows = await recentRows(gateway);
      const isAdmin = call.client.scopes.includes("operator.admin");
      const { model } = await gateway.models.defaultModel();
      const agents = snapshot["agents"] as ReadonlyArray<{ agentId: string; sessions: { count: number } }>;
      return {
        runtimeVersion: gateway.version,
        heartbeat: {
          defaultAgentId: snapshot["defaultAgentId"],
          agents: agents.map(({ agentId }) => ({ agentId, enabled: false, every: "0m", everyMs: null })),
        },
        ...(await channelsAtAGlance(gateway)),
        queuedSystemEvents: [],
        sessions: {
          paths: isAdmin ? agents.map(({ agentId }) => storePath(gateway, agentId)) : [],
          count: await gateway.ledger.countSessions(),
          defaults: isAdmin
            ? { model: model.id, contextTokens: model.contextWindow }
            : { model: null, contextTokens: null },
          recent: isAdmin ? rows : [],
          byAgent: agents.map(({ agentId, sessions }) => ({
            agentId,
            path: isAdmin ? storePath(gateway, agentId) : "[redacted]",
            count: sessions.count,
            recent: isAdmin ? rows.filter((row) => row.agentId === agentId) : [],
          })),
        },
      };
    },

    "system-presence": () => gateway.presence.list(),

    async "system-event"(params) {
      const key = params.deviceId ?? params.instanceId ?? params.host ?? params.text;
      const { text, ...fields } = params;
      if (!text.trim()) throw invalid("text required");
      gateway.presence.put(key, { ...JSON.parse(JSON.stringify(fields)), text });
      if (isNews(params)) await noteForMainSession(gateway, text);
      gateway.hub.broadcast(
        "presence",
        { presence: gateway.presence.list() },
        { stateVersion: { presence: gateway.presence.revision, health: gateway.health.revision } },
      );
      return { ok: true as const };
    },

    "last-heartbeat": () => null,
  };
}

/** Nothing of channels is loaded while none is configured. */
async function channelsAtAGlance(gateway: GatewayParts) {
  const undeliverable = (await gateway.ledger.deliveries({ state: "undeliverable", limit: MOST_COUNTED })).length;
  const deliveries = { undeliverable };
  if (configuredChannels(gateway.config.current()).length === 0) return { channelSummary: [], deliveries };
  const { channelLines, glanceAtChannels } = await import("../channels/glance.ts");
  const { channels } = await gateway.channels();
  return { channelSummary: channelLines(await glanceAtChannels(channels)), deliveries };
}

/** Beacons that only say "still here" are for presence, not for the conversation. */
function isNews({ text, reason = "" }: { text: string; reason?: string | undefined }): boolean {
  return !text.startsWith("Node:") && !/^(periodic|heartbeat)/.test(reason);
}

/** The agent sees it with its next turn: an entry of the transcript that is part of the conversation. */
async function noteForMainSession(gateway: GatewayParts, text: string): Promise<void> {
  const keys = gateway.keys();
  const entry = await gateway.sessions.update(mainSessionKey(keys.defaultAgentId, keys), (old) => old);
  const at = new Date(gateway.clock.now()).toISOString().slice(0, 19).replace("T", " ");
  const content = `System: [${at} UTC] ${text}`;
  await gateway.transcripts.append(entry.sessionId, [
    { type: "custom_message", customType: "system-event", content, display: true },
  ]);
  gateway.transcripts.forget(entry.sessionId);
}

async function recentRows(gateway: GatewayParts) {
  const now = gateway.clock.now();
  const rows = await gateway.ledger.sessions({ limit: 10 });
  return rows.map(({ key, entry }) => statusRow(key, entry, now));
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
    ...(entry.thinkingLevel ? { thinkingLevel: entry.thinkingLevel } : {}),
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
