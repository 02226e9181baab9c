// Joins what happens by itself: jobs, heartbeats, webhooks, sub-agents. Each is loaded when there is something for it to do.
import { normalizeAgentId, type Clock, type ErrandDelivery, type Ids, type Ledger, type Standing } from "@chela/sdk";
import type { LogSink } from "../base/log.ts";
import type { AgentSettings, ConfigStore, StatePaths } from "../config/room.ts";
import type { Errands } from "../errands/room.ts";
import { createCronBell, type CronBell } from "./cron-bell.ts";
import type { InboundFlow } from "../flow/inbound.ts";
import type { ChannelSide } from "../join-channels.ts";
import type { HookBell } from "./hook-bell.ts";
import { createHeartbeatBell, type HeartbeatBell } from "./heartbeat-bell.ts";
import { joinErrands } from "./join-errands.ts";
import type { WebhookSide } from "./join-webhooks.ts";
import type { Runs } from "../flow/runs.ts";
import type { Models } from "../models/room.ts";
import { createSubagentBell, type SubagentBell } from "./subagent-bell.ts";
import { findPlace, type WrittenPlace } from "./join-places.ts";
import type { Media } from "../media/room.ts";
import type { MessageDesk } from "../message-desk/request.ts";
import { listAgents, mainSessionKey, type KeyDefaults } from "../routing/room.ts";
import type { AuthOverride } from "../server/door-rules.ts";
import type { Hub } from "../server/hub.ts";
import type { Changes } from "../server/changes.ts";
import type { Sandboxes } from "../sandbox/room.ts";
import type { Lanes, SessionStore, Transcripts } from "../sessions/room.ts";
import { createWebhookBell } from "./webhook-bell.ts";
import type { Workshop } from "../workshop.ts";

export interface AutomationParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  /** Of the gateway's own door. */
  readonly auth: AuthOverride;
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly lanes: Lanes;
  readonly runs: Runs;
  readonly models: Models;
  readonly hub: Hub;
  readonly changes: Changes;
  readonly sandboxes: Sandboxes;
  /** Who hears of jobs and of requests from outside. */
  readonly hooks: Pick<HookBell, "cron" | "webhook">;
  keys(): KeyDefaults;
  agentOf(agentId: string): AgentSettings;
  inbound(): InboundFlow;
  workshop(): Promise<Workshop>;
  desk(): Promise<MessageDesk>;
  media(): Promise<Media>;
  channels(): Promise<ChannelSide>;
  hasChannels(): boolean;
  /** Channels beside those that are built in, by id. */
  readonly extraChannels?: Readonly<Record<string, unknown>>;
}

/** What the parts of automation need of each other. */
export interface AutomationTools {
  readonly errands: Errands;
  /** Where a result for the person behind an agent goes. */
  placeFor(agentId: string, written: WrittenPlace): Promise<ErrandDelivery>;
  /** Something happened that an agent should know of: kept until it is told, and told at once when `mode` says so. */
  wake(event: WakeEvent): Promise<void>;
}

export interface WakeEvent {
  readonly agentId: string;
  /** The conversation it belongs to; the agent's main one when absent. */
  readonly sessionKey?: string;
  readonly text: string;
  readonly mode: "now" | "next-heartbeat";
  /** What caused it, for the heartbeat's record: "wake", "hook:…", "cron:<id>". */
  readonly reason: string;
  /** One with the same key is not added again. */
  readonly key: string;
  /** Whose words these are: a heartbeat that tells of them may do no more than they may. */
  readonly standing: Standing;
}

export interface Automation extends AutomationTools {
  readonly subagents: SubagentBell;
  readonly heartbeat: HeartbeatBell;
  readonly cron: CronBell;
  /** What other programs tell agents over HTTP. */
  webhooks(): Promise<WebhookSide>;
  /** Goes on with what an earlier process left, and waits for what is due. */
  start(): Promise<void>;
  /** Nothing more begins by itself. */
  stop(): Promise<void>;
}

export function joinAutomation(parts: AutomationParts): Automation {
  const { ledger, clock } = parts;
  const mainKey = (agentId: string): string => mainSessionKey(agentId, parts.keys());
  const subagents = createSubagentBell(parts, () => errands);
  const errands: Errands = joinErrands({
    ...parts,
    postResult: (errand, url) => cron.post(errand, url),
    announceIn: (errand, sessionKey) => subagents.announceIn(errand, sessionKey),
    hasAgent: (agentId) => listAgents(parts.config.current()).some(({ id }) => id === normalizeAgentId(agentId)),
  });
  const heartbeat = createHeartbeatBell(parts, errands);
  const cron = createCronBell(parts, () => tools);
  const tools: AutomationTools = {
    errands,
    placeFor: (agentId, written) => findPlace(written, mainKey(agentId), parts),
    async wake({ agentId, sessionKey = mainKey(agentId), mode, ...event }) {
      if (mode === "now") return heartbeat.wake({ agentId, sessionKey, ...event });
      const { text, key, standing } = event;
      const aside = { sessionKey, kind: "note" as const, key, at: clock.now(), body: { text, standing } };
      await ledger.commit([{ kind: "aside-add", aside }]);
    },
  };
  const webhooks = createWebhookBell(parts, tools);

  return {
    ...tools,
    subagents,
    heartbeat,
    cron,
    webhooks,
    async start() {
      await subagents.start();
      await cron.prepare();
      await errands.takeUp();
      subagents.takenUp();
      await cron.start();
      await heartbeat.start();
    },
    async stop() {
      await heartbeat.stop();
      await cron.stop();
      errands.close();
      await cron.close();
      await subagents.stop();
    },
  };
}
