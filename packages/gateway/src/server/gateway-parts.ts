// Everything a method may use. The composition root fills it once.
import type { Clock, Ids, Ledger } from "@chela/sdk";
import type { AuditTrail } from "../audit/room.ts";
import type { LogSink } from "../base/log.ts";
import type { Budgets } from "../budgets/room.ts";
import type { ConfigStore, StatePaths } from "../config/room.ts";
import type { CredentialDesk } from "../credential-desk/credential-desk.ts";
import type { Devices } from "../devices/room.ts";
import type { InboundFlow } from "../flow/inbound.ts";
import type { Runs } from "../flow/runs.ts";
import type { TurnEvent } from "../flow/turn-events.ts";
import type { Automation } from "../automation/join-automation.ts";
import type { ChannelSide } from "../join-channels.ts";
import type { JoinedPeople } from "../join-people.ts";
import type { Hooks } from "../hooks/room.ts";
import type { Media } from "../media/room.ts";
import type { Memory } from "../memory/room.ts";
import type { MessageDesk } from "../message-desk/request.ts";
import type { Models } from "../models/room.ts";
import type { Nodes } from "../nodes/room.ts";
import type { KeyDefaults } from "../routing/room.ts";
import type { Sandboxes } from "../sandbox/room.ts";
import type { HistorySearch } from "../search/room.ts";
import type { Branches, Lanes, SessionPaths, SessionStore, Transcripts } from "../sessions/room.ts";
import type { Workshop } from "../workshop.ts";
import type { AccessCodes } from "./auth/index.ts";
import type { Changes } from "./changes.ts";
import type { AccountProbes } from "./channels/account-probes.ts";
import type { Health } from "./health.ts";
import type { WebhookMounts } from "./http/webhook-mounts.ts";
import type { Hub } from "./hub.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Presence } from "./presence.ts";
import type { RunEvents } from "./run-events.ts";
import type { SessionSubscribers } from "./session-subscribers.ts";
import type { Watchers } from "./watchers.ts";

export interface GatewayParts {
  readonly version: string;
  readonly startedAt: number;
  readonly stateDir: string;
  readonly paths: StatePaths;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly transcripts: Transcripts;
  readonly branches: Branches;
  readonly lanes: Lanes;
  readonly runs: Runs;
  readonly inbound: InboundFlow;
  readonly models: Models;
  readonly budgets: Budgets;
  readonly people: JoinedPeople;
  /** What happened, in whose name. */
  readonly audit: AuditTrail;
  readonly sandboxes: Sandboxes;
  /** Credentials and who uses them; opened when somebody asks. */
  credentials(): Promise<CredentialDesk>;
  readonly devices: Devices;
  /** One-time codes for browsers. */
  readonly accessCodes: AccessCodes;
  readonly hub: Hub;
  readonly presence: Presence;
  readonly runEvents: RunEvents;
  readonly liveRuns: LiveRuns;
  readonly watchers: Watchers;
  readonly subscribers: SessionSubscribers;
  /** The branches that are talked in, by position. */
  readonly sessionPaths: SessionPaths;
  /** Hears what turns tell while they run. */
  onTurn(listener: (event: TurnEvent) => void): void;
  /** Whoever changes what clients were told notes it here. */
  readonly changes: Changes;
  readonly health: Health;
  /** What the platforms said of accounts. */
  readonly probes: AccountProbes;
  /** Tools and approvals; opened when they are first needed. */
  workshop(): Promise<Workshop>;
  /** What connects us with messaging platforms; opened when it is first needed. */
  channels(): Promise<ChannelSide>;
  /** Files that come and go with messages; opened when they are first needed. */
  media(): Promise<Media>;
  /** Where messages are sent and chats are acted in; opened when it is first needed. */
  desk(): Promise<MessageDesk>;
  /** Devices that do things for agents; opened when the first one connects, or somebody asks. */
  nodes(): Promise<Nodes>;
  /** What agents remember; opened when it is first needed. */
  memory(): Promise<Memory>;
  /** The search through everything that was said; opened when it is first needed. */
  search(): Promise<HistorySearch>;
  /** Handlers on events; opened when one is enabled, or somebody asks. */
  hooks(): Promise<Hooks>;
  /** What happens by itself: errands, jobs, heartbeats, webhooks, sub-agents. */
  readonly automation: Automation;
  /** Paths that belong to channels. */
  readonly mounts: WebhookMounts;
  keys(): KeyDefaults;
  /** Resolves when the ledger knows of everything that was delivered. */
  delivered(): Promise<void>;
  /** Resolves when the session files are what the ledger is. */
  mirrored(): Promise<void>;
}
