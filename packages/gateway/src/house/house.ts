// The house: every service of a gateway by name, each made or loaded when somebody first asks for it.
//
// A part takes what it needs as `Pick<House, "ledger" | "clock">`. Getters are light and made at once; functions are
// heavy, loaded with the first call, and `known()` tells without loading. Nobody may spread a house: that would open it all.
import {
  type Channel,
  type ChatCall,
  type Clock,
  type ErrandDelivery,
  type Ids,
  type Ledger,
  type ModelInfo,
  type Refusal,
  type Requester,
  type SessionModels,
  mainSessionKey,
  type KeyDefaults,
} from "@chela/sdk";
import type { AuditKey, AuditTrail } from "../rooms/audit/room.ts";
import { elevatedFor } from "../flow/commands/elevated.ts";
import type { SessionDefaults } from "../rooms/commands/room.ts";
import { createHookTeller, type HookTeller } from "../flow/hooks/hook-teller.ts";
import type { OpenedCron } from "../flow/own-work/cron.ts";
import { createHeartbeatSwitch, type HeartbeatSwitch } from "../flow/own-work/heartbeat-switch.ts";
import { wakeAgent, type WakeEvent } from "../flow/own-work/wake.ts";
import { openErrands } from "../flow/own-work/errands.ts";
import { findPlace, findPlaceHere, type WrittenPlace } from "../flow/own-work/places.ts";
import type { Subagents } from "../rooms/subagents/room.ts";
import type { Errands } from "../rooms/errands/room.ts";
import type { Believed } from "../base/files/believed.ts";
import { lazy } from "../base/lazy.ts";
import type { LogSink } from "../base/log.ts";
import type { Budgets } from "../rooms/budgets/room.ts";
import {
  agentSettings,
  commandSettings,
  concurrencyLimits,
  cronSettings,
  maintenanceLimits,
  memorySettings,
  sessionSettings,
  usualChoices,
  type AgentSettings,
  type ConfigStore,
  type StatePaths,
} from "../rooms/config/room.ts";
import type { Outbox } from "../rooms/delivery/room.ts";
import { createBootstrapCodes, type Devices } from "../rooms/devices/room.ts";
import type { Hooks } from "../rooms/hooks/room.ts";
import { Inbound } from "../flow/receive.ts";
import { Runs } from "../flow/runs.ts";
import { TurnBus } from "../flow/turn/bus.ts";
import { collectErrands, type ErrandTable } from "./contributed/collect-errands.ts";
import { Services, type LazyService } from "./contributed/services.ts";
import { ROOMS } from "./contributions.ts";
import { openAuditing, type Auditing } from "./open-audit.ts";
import { openPeople, type PeopleServices } from "./open-people.ts";
import { openSandboxes } from "./open-sandboxes.ts";
import type { Workers } from "../rooms/acp/room.ts";
import type { Models } from "../rooms/models/room.ts";
import { rememberByConfig } from "./remember-by-config.ts";
import { defaultAgent, listAgents, type AgentRecord, type RoutedEvent } from "../rooms/routing/room.ts";
import type { Sandboxes } from "../rooms/sandbox/room.ts";
import type { Caller, FileSettings } from "../rooms/tools/room.ts";
import { fileSettingsOf } from "./tools/file-settings.ts";
import { createAccessCodes, type AccessCodes } from "../server/auth/index.ts";
import { Changes } from "../server/live/changes.ts";
import { AccountProbes } from "../rooms/channels/account-probes.ts";
import { isShownKind } from "../server/conversation/show-entry.ts";
import type { AuthOverride } from "../server/door-rules.ts";
import type { Health } from "../server/health.ts";
import type { ListeningPlace, SetupUrl } from "../server/setup-url.ts";
import { BodyRoom } from "../server/http/body-room.ts";
import { WebhookMounts } from "../server/http/webhook-mounts.ts";
import { Hub } from "../server/live/hub.ts";
import { LiveRuns } from "../server/live/live-runs.ts";
import { Presence } from "../server/live/presence.ts";
import { RunEvents } from "../server/live/run-events.ts";
import { SessionSubscribers } from "../server/live/session-subscribers.ts";
import { Watchers } from "../server/live/watchers.ts";
import { Branches, Lanes, SessionPaths, SessionStore, Transcripts } from "../rooms/sessions/room.ts";
import type { LazyVault } from "./start/lazy-vault.ts";
import type { ChannelServices } from "./open-channels.ts";
import { openHealth } from "./open-health.ts";
import { openOutbox } from "./open-outbox.ts";
import { openFiles, type SessionFiles } from "./open-files.ts";

/** What is there before anything else: somebody made it, and ends it. */
export interface Ground {
  readonly version: string;
  readonly paths: StatePaths;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly config: ConfigStore;
  readonly ledger: Ledger;
  readonly devices: Devices;
  readonly believed: Believed;
  /** By which the ledger makes the hashes of the audit trail, if it does. */
  readonly auditKey?: AuditKey | undefined;
  /** Whether no other gateway works on the state directory at the same time. */
  isAlone(): boolean;
  readonly models: Models;
  /** Of the gateway's own door. */
  readonly auth: AuthOverride;
  readonly vault: LazyVault;
  /** Channels beside those that are built in, by id. */
  readonly extraChannels?: Readonly<Record<string, Channel>>;
}

/** What others know of the gateway's door. */
export interface OpenDoor {
  /** Where it is right now. */
  readonly listening: ListeningPlace;
  /** False while the gateway is stopping. */
  readonly isReady: boolean;
  /** Directory of the page that was built with the gateway. */
  readonly pageRoot: string;
}

export class House {
  readonly startedAt: number;
  /** Ends what waits for the disk. */
  readonly shutdown = new AbortController();
  readonly #ground: Ground;
  readonly #made = new Map<string, unknown>();

  constructor(ground: Ground) {
    this.#ground = ground;
    this.startedAt = ground.clock.now();
  }

  get version() {
    return this.#ground.version;
  }
  get paths() {
    return this.#ground.paths;
  }
  get clock() {
    return this.#ground.clock;
  }
  get ids() {
    return this.#ground.ids;
  }
  get log() {
    return this.#ground.log;
  }
  get config() {
    return this.#ground.config;
  }
  get ledger() {
    return this.#ground.ledger;
  }
  get devices() {
    return this.#ground.devices;
  }
  get believed() {
    return this.#ground.believed;
  }
  get auditKey(): AuditKey | undefined {
    return this.#ground.auditKey;
  }
  readonly isAlone = (): boolean => this.#ground.isAlone();
  get models() {
    return this.#ground.models;
  }
  get auth() {
    return this.#ground.auth;
  }
  get vault() {
    return this.#ground.vault;
  }
  get extraChannels(): Readonly<Record<string, Channel>> {
    return this.#ground.extraChannels ?? {};
  }

  get stateDir(): string {
    return this.paths.stateDir;
  }

  /** What runs by itself. */
  readonly services = new Services<House>(this, ROOMS);

  // Conversations

  /** What holds for one agent. */
  readonly agentOf = rememberByConfig(this, (agentId): AgentSettings => {
    const isDefault = agentId === defaultAgent(this.config.current()).id;
    return agentSettings(this.config.current(), { id: agentId, isDefault }, this.paths);
  });
  readonly agents = (): AgentRecord[] => listAgents(this.config.current());
  readonly workspaceOf = (agentId: string): string => this.agentOf(agentId).workspace;
  /** Where an agent may read and write files. */
  readonly fileSettings = (agentId: string): FileSettings => fileSettingsOf(agentId, this);
  /** What session keys are made with. */
  readonly keys = (): KeyDefaults => {
    const { mainKey, scope } = sessionSettings(this.config.current());
    return { defaultAgentId: defaultAgent(this.config.current()).id, mainKey, scope };
  };
  /** How many conversations are kept, and for how long. */
  readonly maintenanceLimits = () => maintenanceLimits(this.config.current());
  get transcripts(): Transcripts {
    return this.#once("transcripts", () => new Transcripts(this));
  }
  get sessions(): SessionStore {
    return this.#once("sessions", () => new SessionStore(this));
  }
  get branches(): Branches {
    return this.#once("branches", () => new Branches(this));
  }
  /** The branches that are talked in, by position. */
  get sessionPaths(): SessionPaths {
    return this.#once("sessionPaths", () => new SessionPaths({ ledger: this.ledger, isShown: isShownKind }));
  }
  get lanes(): Lanes {
    return this.#once("lanes", () => new Lanes(() => concurrencyLimits(this.config.current()), this.clock));
  }
  get runs(): Runs {
    return this.#once("runs", () => new Runs());
  }
  /** What turns tell while they run. */
  get bus(): TurnBus {
    return this.#once("bus", () => new TurnBus());
  }
  get people(): PeopleServices {
    return this.#once("people", () => openPeople(this));
  }
  get budgets(): Budgets {
    return this.people.budgets;
  }

  // The way of a message

  get inbound(): Inbound {
    return this.#once("inbound", () => new Inbound(this));
  }
  get outbox(): Outbox {
    return this.#once("outbox", () => openOutbox(this));
  }
  /** OpenClaw's files: what they said before us, and what they say now. */
  get files(): SessionFiles {
    return this.#once("files", () => openFiles(this));
  }
  /** Who rings when something happens that hooks may want to hear. */
  get hookTeller(): HookTeller {
    return this.#once("hookTeller", () => createHookTeller(this));
  }

  /** Words for the gateway instead of a model, in the order of lists. */
  readonly chatCommands = lazy(async () => (await import("./open-chat-commands.ts")).openChatCommands());
  /** Who may say which of them, and what they are told. */
  readonly commandSettings = () => commandSettings(this.config.current());
  /** The models a session can have. */
  readonly sessionModels = async (call: Pick<ChatCall, "agentId" | "session">): Promise<SessionModels> =>
    (await import("../rooms/models/session-models.ts")).sessionModels(call, this);
  /** How much of a model's window conversations may fill. */
  readonly usedWindow = async (model: Pick<ModelInfo, "contextWindow">): Promise<number> => {
    const { contextSettings, contextWindow } = await import("../rooms/agent/context/settings.ts");
    return contextWindow(contextSettings(this.config.current()), model);
  };
  /** What holds where a session says nothing. */
  readonly sessionDefaults = (): SessionDefaults => {
    const { exec, ...usual } = usualChoices(this.config.current());
    return { ...usual, reasoning: "off", exec: { host: "gateway", ...exec }, activation: "mention" };
  };
  /** Whether somebody may have commands run with fewer questions. */
  readonly elevated = (agentId: string, requester: Requester): { readonly kind: "allowed" } | Refusal =>
    elevatedFor(this.config, agentId, requester);

  // What happens by itself

  /** The walk of work nobody typed, from the moment it is due until its result has arrived. */
  get errands(): Errands {
    return this.#once("errands", () => openErrands(this));
  }
  /** What carries out which kind of them. */
  readonly errandTable: ErrandTable = collectErrands<House>(this, ROOMS);
  readonly cron: LazyService<OpenedCron> = this.services.lazily("cron", async () =>
    (await import("../flow/own-work/cron.ts")).openCron(this),
  );
  readonly cronSettings = () => cronSettings(this.config.current(), this.config.effectiveEnv(), this.paths);
  get heartbeat(): HeartbeatSwitch {
    return this.#once("heartbeat", () => createHeartbeatSwitch(this));
  }
  readonly subagents: LazyService<Subagents> = this.services.lazily("subagents", async () =>
    (await import("../flow/own-work/subagents.ts")).openSubagents(this),
  );
  /** What a conversation started ends with it. Tells how many were at work: none while nobody opened the room. */
  readonly endHelpers: Subagents["conversationEnds"] = async (...asked) => {
    await this.services.ready;
    return (await this.subagents.known())?.conversationEnds(...asked) ?? 0;
  };
  /** What other programs tell agents over HTTP. */
  readonly webhooks = lazy(async () => (await import("./open-webhooks.ts")).openWebhooks(this));
  readonly wake = (event: WakeEvent): Promise<void> => wakeAgent(this, event);
  /** Where a result for the person behind an agent goes. */
  readonly placeFor = (agentId: string, written: WrittenPlace): Promise<ErrandDelivery> =>
    findPlace(written, mainSessionKey(agentId, this.keys()), this);

  /** Where a conversation is led, as somebody who writes a job there would name it. */
  readonly placeHere = (call: { readonly sessionKey: string; readonly runId: string }) => findPlaceHere(call, this);

  /** What commands of agents run with, and who is asked about them. */
  readonly exec = this.services.lazily("tools", async () => (await import("./tools/open-exec.ts")).openExec(this));
  /** What agents see of other conversations, and how they write to them. */
  readonly otherSessions = lazy(async () => (await import("./tools/other-sessions.ts")).openOtherSessions(this));
  /** Whether one conversation may look into another. */
  readonly seesSession = async (caller: Caller, sessionKey: string): Promise<boolean> =>
    (await import("../rooms/tools/room.ts")).seesSession(await this.otherSessions(), caller, sessionKey);
  /** Models that look at pictures. */
  readonly vision = lazy(async () => (await import("./tools/vision.ts")).openVision(this));
  /** What turns are made with: tools, approvals, prompts, commands. */
  readonly turnServices = lazy(async () => (await import("./open-turn-services.ts")).openTurnServices(this));
  /** What connects us with messaging platforms. */
  readonly channels: LazyService<ChannelServices> = this.services.lazily("channels", async () =>
    (await import("./open-channels.ts")).openChannels(this),
  );
  /** To whom somebody who writes would come, and why. */
  readonly explainRoute = async (event: RoutedEvent) =>
    (await import("./explain-route.ts")).explainRouteOf(event, this);
  readonly hasChannels = (): boolean => namesChannel(this.config.current().channels);
  /** Files that come and go with messages. */
  readonly media = lazy(async () => (await import("./open-media.ts")).openMedia(this));
  /** Where messages are sent and chats are acted in. */
  readonly messages = lazy(async () => (await import("../flow/messages/open-messages.ts")).openMessages(this));

  // What agents know

  readonly memorySettings = (agentId: string) =>
    memorySettings(this.config.current(), agentId, this.workspaceOf(agentId), this.paths);
  readonly hasMemory = (agentId: string): boolean => this.memorySettings(agentId).isOn;
  /** What agents remember. */
  readonly memory = this.services.lazily("memory", async () => (await import("./open-memory.ts")).openMemory(this));
  /** The search through everything that was said. */
  readonly search = this.services.lazily("search", async () => (await import("./open-search.ts")).openSearch(this));
  /** Other agents that answer in place of a model. */
  readonly acpWorkers: LazyService<Workers> = this.services.lazily("acp", async () =>
    (await import("./open-workers.ts")).openWorkers(this),
  );
  /** Editors that lend agents their files and terminals. */
  readonly editors = lazy(async () => (await import("../rooms/acp/editors/editors.ts")).createEditors(this));
  /** Devices that do things for agents. */
  readonly nodes = lazy(async () => (await import("./open-nodes.ts")).openNodes(this));

  /** Handlers of the owner's on events. */
  readonly hooks = async (): Promise<Hooks> => (await this.hookTeller.side()).hooks;

  /** Who the agents are, and what becomes of them. */
  readonly agentChanges = lazy(async () => (await import("./agents/agent-changes.ts")).openAgentChanges(this));

  // What is safe, and who did what

  /** Credentials and who uses them. */
  readonly credentials = lazy(async () => (await import("./open-credentials.ts")).openStoredCredentials(this));

  /** What is weak here; it is looked for anew with each question. */
  readonly securityAudit = lazy(async () => {
    const { openSecurityAudit } = await import("./security/open-security-audit.ts");
    const port = () => this.door.listening.port;
    const { config, paths, clock, ledger } = this;
    return openSecurityAudit({
      config,
      paths,
      clock,
      port,
      jobs: () => ledger.jobs(),
      sandbox: () => this.sandboxes.status(),
    });
  });

  get auditing(): Auditing {
    return this.#once("auditing", () => openAuditing(this));
  }
  /** What happened, in whose name. */
  get audit(): AuditTrail {
    return this.auditing.trail;
  }
  get sandboxes(): Sandboxes {
    return this.#once("sandboxes", () => openSandboxes(this));
  }

  // Clients of our own

  get hub(): Hub {
    return this.#once("hub", () => new Hub());
  }
  get liveRuns(): LiveRuns {
    return this.#once("liveRuns", () => new LiveRuns());
  }
  get watchers(): Watchers {
    return this.#once("watchers", () => new Watchers());
  }
  get subscribers(): SessionSubscribers {
    return this.#once("subscribers", () => new SessionSubscribers());
  }
  get runEvents(): RunEvents {
    return this.#once("runEvents", () => new RunEvents(this));
  }
  /** Whoever changes what clients were told notes it here. */
  get changes(): Changes {
    return this.#once("changes", () => new Changes(this, ROOMS));
  }
  get health(): Health {
    return this.#once("health", () => openHealth(this));
  }
  /** What the platforms said of accounts. */
  get probes(): AccountProbes {
    return this.#once("probes", () => new AccountProbes(this.clock));
  }
  get presence(): Presence {
    return this.#once("presence", () => new Presence(this.clock, this.version));
  }
  /** One-time codes for browsers. */
  get accessCodes(): AccessCodes {
    return this.#once("accessCodes", () => {
      const { clock, ids } = this;
      return createAccessCodes({ clock, ids, outside: createBootstrapCodes(this) });
    });
  }
  /** Bodies that strangers are sending. */
  get bodies(): BodyRoom {
    return this.#once("bodies", () => new BodyRoom(this.clock));
  }
  /** Paths that belong to channels. */
  get mounts(): WebhookMounts {
    return this.#once("mounts", () => new WebhookMounts(this.bodies));
  }

  #door: OpenDoor | undefined;
  /** By which clients come in; the offline command line has none. */
  get door(): OpenDoor {
    if (!this.#door) throw new TypeError("the gateway has no door");
    return this.#door;
  }
  hasDoor(door: OpenDoor): void {
    this.#door = door;
  }
  /** The address under which a phone reaches this gateway, or what stands in the way. */
  readonly setupUrl = async (asked: string | undefined): Promise<SetupUrl> =>
    (await import("../server/setup-url.ts")).chooseSetupUrl(asked, this.door.listening);

  readonly #restartTasks: Array<() => void> = [];
  /** Asks whoever runs the gateway to start it anew. */
  readonly restart = (): void => this.#restartTasks.forEach((task) => task());
  onRestartNeeded(task: () => void): void {
    this.#restartTasks.push(task);
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }
}

/** Blocks under `channels` that are settings for all of them name none. */
function namesChannel(channels: Readonly<Record<string, unknown>> | undefined): boolean {
  return Object.keys(channels ?? {}).some((key) => key !== "defaults" && key !== "modelByChannel");
}
