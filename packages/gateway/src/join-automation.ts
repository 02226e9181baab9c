// Joins what happens by itself: jobs, heartbeats, webhooks, sub-agents. Each is loaded when there is something for it to do.
import type { Clock, ErrandDelivery, Ids, Ledger } from "@chela/sdk";
import type { LogSink } from "./base/log.ts";
import type { AgentSettings, ConfigStore, StatePaths } from "./config/room.ts";
import type { Errands } from "./errands/room.ts";
import type { InboundFlow } from "./flow/inbound.ts";
import type { ChannelSide } from "./join-channels.ts";
import { joinErrands } from "./join-errands.ts";
import { findPlace, type WrittenPlace } from "./join-places.ts";
import type { Media } from "./media/room.ts";
import type { MessageDesk } from "./message-desk/request.ts";
import { mainSessionKey, type KeyDefaults } from "./routing/room.ts";
import type { Hub } from "./server/hub.ts";
import type { Changes } from "./server/changes.ts";
import type { Lanes, SessionStore, Transcripts } from "./sessions/room.ts";
import type { Workshop } from "./workshop.ts";

export interface AutomationParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly lanes: Lanes;
  readonly hub: Hub;
  readonly changes: Changes;
  keys(): KeyDefaults;
  agentOf(agentId: string): AgentSettings;
  inbound(): InboundFlow;
  workshop(): Promise<Workshop>;
  desk(): Promise<MessageDesk>;
  media(): Promise<Media>;
  channels(): Promise<ChannelSide>;
  hasChannels(): boolean;
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
}

export interface Automation extends AutomationTools {
  /** Goes on with what an earlier process left, and waits for what is due. */
  start(): Promise<void>;
  /** Nothing more begins by itself. */
  stop(): Promise<void>;
}

export function joinAutomation(parts: AutomationParts): Automation {
  const { ledger, clock } = parts;
  const mainKey = (agentId: string): string => mainSessionKey(agentId, parts.keys());
  const errands = joinErrands({
    ...parts,
    postResult: async () => ({ status: "not-delivered", error: "Results cannot be posted yet." }),
    announceIn: async () => ({ status: "not-delivered", error: "Results cannot be announced yet." }),
  });
  const tools: AutomationTools = {
    errands,
    placeFor: (agentId, written) => findPlace(written, mainKey(agentId), parts),
    async wake({ agentId, sessionKey = mainKey(agentId), text, key }) {
      const aside = { sessionKey, kind: "note" as const, key, at: clock.now(), body: { text } };
      await ledger.commit([{ kind: "aside-add", aside }]);
    },
  };

  return {
    ...tools,
    async start() {
      await errands.takeUp();
    },
    async stop() {
      errands.close();
    },
  };
}
