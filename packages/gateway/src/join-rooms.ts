// Joins the rooms into the flow of a message: what one needs of another is filled in here and nowhere else.
import { existsSync } from "node:fs";
import { agentOfSessionKey, type Channel, type Clock, type Ids, type Ledger, type SessionEntry } from "@chela/sdk";
import { auditChange, deliveryEvent } from "./audit/room.ts";
import type { AuditKey } from "./audit/room.ts";
import type { Believed } from "./base/believed.ts";
import type { LogSink } from "./base/log.ts";
import {
  agentSettings,
  commandSettings,
  concurrencyLimits,
  firstWaitMs,
  indexStore,
  maintenanceLimits,
  memorySettings,
  secretsOf,
  sessionSettings,
  type ConfigStore,
  type StatePaths,
} from "./config/room.ts";
import { Outbox } from "./delivery/room.ts";
import { createBootstrapCodes, type Devices } from "./devices/room.ts";
import { createInbound } from "./flow/inbound.ts";
import { rememberByConfig } from "./remember-by-config.ts";
import type { MessageBody } from "./flow/message-body.ts";
import type { WriteReply } from "./flow/reply-delivery.ts";
import { Runs } from "./flow/runs.ts";
import { TurnBus } from "./flow/turn-bus.ts";
import { createHookBell } from "./automation/hook-bell.ts";
import { joinAutomation } from "./automation/join-automation.ts";
import { joinSandbox } from "./join-sandbox.ts";
import { joinAudit } from "./join-audit.ts";
import { laterRooms } from "./later-rooms.ts";
import { createImporter, createMirror, IMPORT_AT_START_BYTES } from "./ledger/room.ts";
import type { Models } from "./models/room.ts";
import { wakeMemory } from "./memory-waker.ts";
import { opened as openedLater } from "./opened.ts";
import { joinPeople } from "./join-people.ts";
import { defaultAgent, listAgents, mainSessionKey, type KeyDefaults } from "./routing/room.ts";
import { createAccessCodes } from "./server/auth/index.ts";
import { Changes } from "./server/changes.ts";
import type { AuthOverride } from "./server/door-rules.ts";
import type { GatewayParts } from "./server/gateway-parts.ts";
import { AccountProbes } from "./server/channels/account-probes.ts";
import { Health } from "./server/health.ts";
import { WebhookMounts } from "./server/http/webhook-mounts.ts";
import { Hub } from "./server/hub.ts";
import { LiveRuns } from "./server/live-runs.ts";
import { Presence } from "./server/presence.ts";
import { RunEvents } from "./server/run-events.ts";
import { holdsScope } from "./server/scopes.ts";
import { isShownKind } from "./server/conversation/show-entry.ts";
import { announceApproval } from "./server/announce-approval.ts";
import { SessionSubscribers } from "./server/session-subscribers.ts";
import { Watchers } from "./server/watchers.ts";
import {
  Branches,
  Lanes,
  queueSettings,
  sendPolicyFor,
  SessionPaths,
  SessionStore,
  Transcripts,
} from "./sessions/room.ts";
import { tendSessions } from "./tend-sessions.ts";
import type { VaultDoor } from "./vault-door.ts";
import type { Workshop } from "./workshop.ts";

export interface RoomParts {
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
  readonly auditKey?: AuditKey;
  readonly models: Models;
  readonly auth: AuthOverride;
  readonly vault: VaultDoor;
  /** Channels beside those that are built in, by id. */
  readonly extraChannels?: Readonly<Record<string, Channel>>;
}

export interface Joined {
  readonly gateway: GatewayParts;
  readonly bus: TurnBus;
  /** Takes up files and unanswered messages, before anybody can send new ones. No turn runs yet. */
  prepare(): Promise<void>;
  /** Lets turns run, and begins to mirror. */
  start(): Promise<void>;
  /** Lets running turns finish, up to the limit; what is left is taken up by the next start. */
  drain(): Promise<void>;
  stop(): Promise<void>;
  onRestartNeeded(task: () => void): void;
  onDoorChange(task: () => void): void;
}

const WEBCHAT = "webchat";
const DRAIN_MS = 30_000;
const ABORT_GRACE_MS = 5_000;

export function joinRooms(parts: RoomParts): Joined {
  const { clock, ids, log, config, ledger, models, paths } = parts;
  const startedAt = clock.now();
  const agentOf = rememberByConfig(config, (agentId: string) => {
    const isDefault = agentId === defaultAgent(config.current()).id;
    return agentSettings(config.current(), { id: agentId, isDefault }, paths);
  });
  const keys = (): KeyDefaults => {
    const { mainKey, scope } = sessionSettings(config.current());
    return { defaultAgentId: defaultAgent(config.current()).id, mainKey, scope };
  };
  const homeKey = () => mainSessionKey(keys().defaultAgentId, keys());
  const workspaceOf = (agentId: string) => agentOf(agentId).workspace;

  const shutdown = new AbortController();
  const transcripts = new Transcripts({ ledger, ids, clock });
  const sessions = new SessionStore({ ledger, transcripts, clock, ids, workspaceOf });
  const branches = new Branches({ ledger, transcripts });
  const people = joinPeople({ ...parts, channels: async () => (await channels()).channels });
  const { budgets } = people;
  const lanes = new Lanes(() => concurrencyLimits(config.current()), clock);
  const runs = new Runs();
  const bus = new TurnBus();
  const hub = new Hub();
  const probes = new AccountProbes(clock);
  const health = new Health({
    ledger,
    clock,
    stateDir: paths.stateDir,
    agents: () => listAgents(config.current()),
    heartbeatOf: (agentId) => automation.heartbeat.settings(agentId),
    async channels(probe) {
      const side = await later.openChannels();
      if (!side) return undefined;
      const { glanceAtChannels } = await import("./server/channels/glance.ts");
      if (probe) await probes.askAll(side.channels);
      return glanceAtChannels(side.channels, probes);
    },
  });
  const verboseOf = async (key: string) =>
    (await ledger.session(key))?.verboseLevel ?? config.current().agents?.defaults?.verboseDefault;
  const liveRuns = new LiveRuns();
  const watchers = new Watchers();
  const subscribers = new SessionSubscribers();
  const runEvents = new RunEvents({ hub, clock, live: liveRuns, watchers, subscribers, verboseOf });
  const changes = new Changes({ hub, clock });
  ledger.onCommit((note) => changes.noteCommit(note));
  const auditing = joinAudit({
    ...parts,
    stateDir: paths.stateDir,
    changed: () => changes.note("audit"),
  });
  const audit = auditing.trail;
  const nodes = openedLater(async () => (await import("./join-nodes.ts")).openNodes({ ...parts, hub, changes, audit }));
  parts.devices.onChange((change) => {
    changes.note("devices");
    if (change.kind !== "removed") return;
    nodes
      .open()
      .then((room) => room.forget(change.deviceId))
      .catch((error: unknown) => log.error("a removed node could not be forgotten", { error: String(error) }));
  });
  const credentials = openedLater(async () => (await import("./join-credentials.ts")).openCredentialDesk(parts));
  parts.vault.onChange(() => changes.note("credentials"));
  const sandboxes = joinSandbox({
    ...parts,
    keys,
    workspaceOf,
    noteAudit: (event) => audit.note(event),
    changed: () => changes.note("sandboxes"),
  });
  const mounts = new WebhookMounts();
  const outbox = new Outbox({
    ledger,
    clock,
    log,
    isOwn: ({ channel }) => channel === WEBCHAT,
    tell: (item) => runEvents.announceReply(item),
    toldChanges: (item, attempts, at) => [auditChange(deliveryEvent(item, { state: "delivered", attempts }, true), at)],
    post: async (item, mayHaveArrived) => (await channels()).post.take(item, mayHaveArrived),
  });
  const store = indexStore(config.current(), paths);
  const importer = createImporter({ ledger, stateDir: paths.stateDir, log, clock, ids, ...(store ? { store } : {}) });
  const mirror = createMirror({
    ledger,
    stateDir: paths.stateDir,
    clock,
    ids,
    log,
    homeSessionKey: homeKey,
    ...(store ? { store } : {}),
    strangers: importer,
    guards: {
      session: (key, work) => sessions.alone(key, work),
      transcript: (sessionId, work) => transcripts.alone(sessionId, work),
      isBusy: (key) => lanes.runIds(key).length > 0,
    },
  });
  const memory = openedLater(async () => {
    const { openMemory } = await import("./join-memory.ts");
    return openMemory({
      ...parts,
      budgets,
      workspaceOf,
      timeZoneOf: (agentId) => agentOf(agentId).userTimezone,
      isBusy: () => lanes.running > 0,
      progressed: (agentId, progress) =>
        hub.broadcast("memory.progress", { agentId, ...progress }, { scope: "operator.read", dropIfSlow: true }),
      changed: () => changes.note("memory"),
    });
  });
  const memoryOf = (agentId: string) => memorySettings(config.current(), agentId, workspaceOf(agentId), paths);
  const hasMemory = (agentId: string): boolean => memoryOf(agentId).isOn;
  const stopWaking = wakeMemory({
    ...parts,
    memory,
    agentIds: () =>
      listAgents(config.current())
        .map(({ id }) => id)
        .filter(hasMemory),
    hasIndex: () => listAgents(config.current()).some(({ id }) => existsSync(memoryOf(id).path)),
    isReadByModel: () =>
      listAgents(config.current())
        .map(({ id }) => memoryOf(id))
        .some(({ isOn, reads }) => isOn && reads),
  });
  const restartTasks: Array<() => void> = [];
  const doorTasks: Array<() => void> = [];

  const later = laterRooms({
    ...parts,
    audit,
    people: people.directory,
    bus,
    mounts,
    keys,
    sessions,
    transcripts,
    lanes,
    workspaceOf,
    inbound: () => inbound,
    deliver: (item) => outbox.send(item),
    sendPolicy: async (key, channel) => sendPolicy(key, channel, await ledger.session(key)),
    announce: (key, entryId, text) => runEvents.announceInjected(key, entryId, text),
    changed: (topic) => changes.note(topic),
    searchProgressed: (progress) =>
      hub.broadcast("search.progress", progress, { scope: "operator.read", dropIfSlow: true }),
  });
  const { channels, media, desk } = later;
  const sendPolicy = (
    key: string,
    channel: string,
    entry: SessionEntry | undefined,
    chatType: SessionEntry["chatType"] = entry?.chatType,
  ) => {
    const chat = { chatType, entryPolicy: entry?.sendPolicy };
    return sendPolicyFor(config.current().session?.sendPolicy, { key, channel, ...chat });
  };
  /** Our own clients are told by a row of the outbox as well, so that none of them misses an answer. */
  const writeReply: WriteReply = async (record, body, reply) => {
    const { runId, channel, account, sessionKey } = record.message;
    if (body.origin) return (await channels()).replies.write(record, body, reply);
    if (reply.outcome.status !== "ok") return [];
    const { texts, media: files } = reply.outcome;
    const payload = { texts, ...(files ? { media: files } : {}) };
    const own = { id: `${runId}:reply`, runId, channel, account, to: sessionKey, payload, createdAt: reply.at };
    if (!body.deliverTo) return [own];
    return [own, ...(await (await channels()).replies.writeTo(body.deliverTo, record, reply))];
  };

  async function announceText(sessionKey: string, text: string, runId: string): Promise<void> {
    runEvents.announceInjected(sessionKey, runId, text);
    await (await later.openChannels())?.announce(sessionKey, text, runId);
  }
  const bell = createHookBell({
    ...parts,
    startedAt,
    transcripts,
    workspaceOf,
    defaultAgentId: () => keys().defaultAgentId,
    channels,
    deliver: (item) => outbox.send(item),
    announceText,
    inbound: () => inbound,
  });
  ledger.onCommit((note) => bell.committed(note));
  bus.onAny((event) => bell.told(event));

  const benches = openedLater(open);
  const workshop = (): Promise<Workshop> => benches.open();
  async function open(): Promise<Workshop> {
    const { openWorkshop } = await import("./workshop.ts");
    return openWorkshop({
      ...parts,
      startedAt,
      sessions,
      transcripts,
      branches,
      lanes,
      runs,
      bus,
      outbox,
      budgets,
      sandboxes,
      keys,
      agentOf,
      completeImport,
      writeReply,
      async takeIn(record, body, signal) {
        const { takeIn } = await import("./join-media.ts");
        const intake = {
          media: await media(),
          channels: async () => (await channels()).channels,
          transcribed: (heard: { text: string; mimeType: string }) => bell.transcribed(record, body, heard),
        };
        const taken = await takeIn(record, body, signal, intake, parts);
        bell.takenIn(record, taken);
        return taken;
      },
      async filesBehind(sessionKey, handles) {
        const { filesBehind } = await import("./join-media.ts");
        return filesBehind(await media(), sessionKey, handles);
      },
      shutdown: shutdown.signal,
      media,
      desk,
      hasChannels: later.hasChannels,
      inbound: () => inbound,
      restart: () => restartTasks.forEach((task) => task()),
      async canAsk(sessionKey, runId) {
        const mayAnswer = (scopes: readonly string[]) => holdsScope(scopes, "operator.approvals");
        if ([...hub.clients].some(({ role, scopes }) => role === "operator" && mayAnswer(scopes))) return true;
        const side = await later.openChannels();
        const agentId = sessionKey === undefined ? undefined : agentOfSessionKey(sessionKey);
        return side ? side.approvals.canAsk({ agentId, sessionKey, runId }) : false;
      },
      audit,
      announceApproval(event) {
        auditing.approval(event);
        announceApproval({ hub, runEvents }, event);
        void later.openChannels()?.then(({ approvals }) => approvals.hear(event));
      },
      approvalsSaved: () => changes.note("approvals"),
      hookFiles: bell.files,
      subagents: () => automation.subagents.open(),
      cron: () => automation.cron.open(),
      nodes: nodes.open,
      search: later.search,
      memory: memory.open,
      hasMemory,
      wake: (event) => automation.wake(event),
      announceText,
    });
  }
  const inbound = createInbound({
    ledger,
    clock,
    log,
    sessions,
    lanes,
    runs,
    keys,
    workshop,
    hooks: bell,
    endHelpers: (sessionKey, why, only) => automation.subagents.conversationEnds(sessionKey, why, only),
    commandSettings: () => commandSettings(config.current()),
    takeQuota: (runId, person) => people.takeQuota(runId, person),
    async chooseModel(sessionKey, ref) {
      const { provider, id } = models.resolve(ref);
      await sessions.update(sessionKey, (entry) => ({ ...entry, providerOverride: provider, modelOverride: id }));
    },
    agents: () => config.current(),
    queueSettings: (channel, entry) => {
      const { queue } = config.current().messages ?? {};
      if (channel !== WEBCHAT) return queueSettings(queue, entry, channel, "collect");
      // Whoever writes through our own door expects an answer to each message, unless told otherwise.
      const settings = queueSettings(queue, entry, channel, "followup");
      return { ...settings, cap: entry?.queueCap ?? queue?.cap ?? Infinity };
    },
    firstWaitMs: (channel) => firstWaitMs(config.current(), channel),
    sendPolicy,
    errorReply: async (record, outcome, at) =>
      writeReply(record, record.message.body as MessageBody, { outcome, at, directives: [], media: [] }),
    deliver: (item) => outbox.send(item),
    emit: (event) => bus.emit(event),
  });
  bus.onAny((event) => runEvents.handle(event));

  const automation = joinAutomation({
    ...parts,
    sessions,
    transcripts,
    lanes,
    runs,
    hub,
    changes,
    hooks: bell,
    sandboxes,
    keys,
    agentOf,
    workshop,
    inbound: () => inbound,
    desk,
    media,
    channels,
    hasChannels: later.hasChannels,
  });

  /** What files say of a session is read before a turn of it: those of a first start, and what another program wrote since. */
  let importPending = false;
  async function completeImport(sessionKey: string): Promise<void> {
    const entry = importPending ? await ledger.session(sessionKey) : undefined;
    if (entry) await importer.importTranscript(entry.sessionId);
    await mirror.heed(sessionKey);
  }

  async function takeUpFiles(): Promise<void> {
    if (!(await importer.isNeeded())) return mirror.takeOver();
    const { bytes } = await importer.survey();
    if (bytes < IMPORT_AT_START_BYTES) return void (await importer.importAll());
    await importer.importIndexes();
    importPending = true;
    void importer.importAll().then(
      () => (importPending = false),
      (error: unknown) => log.error("the import of older transcripts stopped", { error: String(error) }),
    );
  }

  const stopTending = tendSessions({
    ledger,
    clock,
    log,
    stateDir: paths.stateDir,
    limits: () => maintenanceLimits(config.current()),
    keep: (key) => key === mainSessionKey(agentOfSessionKey(key) ?? "", keys()) || lanes.runIds(key).length > 0,
    changed: () => transcripts.forgetAll(),
  });

  const watching = config.watch((report) => {
    // A broken or missing file changes nothing; the store has said so.
    if (report.kind !== "applied") return;
    for (const secret of secretsOf(config.current())) log.addSecret(secret);
    log.info("configuration applied", {
      changed: report.plan.changed,
      restarts: report.plan.restart || report.plan.hot,
    });
    auditing.configured(report.plan.changed);
    changes.noteConfig(report.plan.changed);
    if (report.plan.changed.some((path) => path.startsWith("channels"))) void later.applyChannels();
    void memory.known()?.then((room) => room.reconfigured());
    if (report.plan.restart) for (const task of restartTasks) task();
    else if (report.plan.changed.some((path) => path.startsWith("gateway."))) for (const task of doorTasks) task();
  });

  const gateway: GatewayParts = {
    version: parts.version,
    startedAt,
    stateDir: paths.stateDir,
    paths,
    clock,
    ids,
    log,
    config,
    ledger,
    sessions,
    transcripts,
    branches,
    lanes,
    runs,
    inbound,
    models,
    workshop,
    channels,
    media,
    desk,
    nodes: nodes.open,
    search: later.search,
    memory: memory.open,
    hooks: async () => (await bell.side()).hooks,
    automation,
    mounts,
    budgets,
    people,
    audit,
    credentials: credentials.open,
    sandboxes,
    devices: parts.devices,
    accessCodes: createAccessCodes({
      clock,
      ids,
      outside: createBootstrapCodes({ stateDir: paths.stateDir, clock, log }),
    }),
    hub,
    runEvents,
    liveRuns,
    watchers,
    subscribers,
    sessionPaths: new SessionPaths({ ledger, isShown: isShownKind }),
    onTurn: (listener) => bus.onAny(listener),
    changes,
    health,
    probes,
    keys,
    presence: new Presence(clock, parts.version),
    delivered: () => outbox.flush(),
    mirrored: () => mirror.flush(),
  };
  return {
    gateway,
    bus,
    async prepare() {
      lanes.hold();
      await people.directory.load();
      await takeUpFiles();
      await mirror.takeOverHome();
      await inbound.resume();
    },
    async start() {
      // What an earlier process left comes before what the turns will say now.
      await outbox.recover();
      await automation.start();
      lanes.release();
      mirror.start();
      void later
        .applyChannels()
        .catch((error: unknown) => log.error("channels could not be started", { error: String(error) }));
      bell.started();
      void auditing.start().catch((error: unknown) => log.error("the audit trail", { error: String(error) }));
    },
    async drain() {
      lanes.hold();
      await bell.stopping();
      await automation.stop();
      // Nothing new comes in while what runs is finished; what is written now is sent by the next start.
      const side = await later.openChannels();
      await side?.post.close();
      await side?.channels.stop();
      const cancel = [
        clock.after(DRAIN_MS, () => lanes.abortAll("shutdown")),
        clock.after(DRAIN_MS + ABORT_GRACE_MS, () => shutdown.abort()),
      ];
      await lanes.idle();
      for (const task of cancel) task();
    },
    async stop() {
      watching[Symbol.dispose]();
      stopTending();
      await (await later.openChannels())?.stop();
      (await later.openSearch())?.close();
      stopWaking();
      await (await memory.known())?.close();
      await (await benches.known())?.close();
      await sandboxes.close();
      shutdown.abort();
      await outbox.flush().catch((error: unknown) => log.warn("receipts not written", { error: String(error) }));
      await auditing.stop();
      await mirror.stop();
    },
    onRestartNeeded: (task) => void restartTasks.push(task),
    onDoorChange: (task) => void doorTasks.push(task),
  };
}
