// Steps of a gateway's start and stop, in order; and who hears of whom.
import { existsSync } from "node:fs";
import { startOwnWork, stopOwnWork } from "../flow/own-work/start-stop.ts";
import { agentOfSessionKey, mainSessionKey } from "@chela/sdk";
import { maintenanceLimits, memorySettings, type ReloadPlan } from "../rooms/config/room.ts";
import { wakeMemory } from "./wake-memory.ts";
import { listAgents } from "../rooms/routing/room.ts";
import { limitSessions } from "./limit-sessions.ts";
import type { House } from "./house.ts";

const DRAIN_MS = 30_000;
const ABORT_GRACE_MS = 5_000;

export interface Life {
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

/** Who hears of whom. From here on the house lives; the returned parts start and end it. */
export function liveIn(house: House): Life {
  const { clock, log, config, lanes, hookStarter, auditing, outbox, files } = house;
  const doorTasks: Array<() => void> = [];
  listenInside(house);
  const stopWaking = wakeMemory({ ...memoryFacts(house), clock, log, ledger: house.ledger, memory: house.memory });
  const stopTending = tend(house);
  const watching = config.watch((report) => {
    // A broken or missing file changes nothing; the store has said so.
    if (report.kind === "applied") applyConfig(house, report.plan, doorTasks);
  });
  return {
    async prepare() {
      lanes.hold();
      await house.people.directory.load();
      await files.takeUp();
      await house.inbound.resume();
    },
    async start() {
      // What an earlier process left comes before what the turns will say now.
      await outbox.recover();
      await startOwnWork(house);
      lanes.release();
      files.start();
      void applyChannels(house);
      hookStarter.started();
      void auditing.start().catch((error: unknown) => log.error("the audit trail", { error: String(error) }));
    },
    async drain() {
      lanes.hold();
      await leaveQuestions(house);
      await hookStarter.stopping();
      await stopOwnWork(house);
      // Nothing new comes in while what runs is finished; what is written now is sent by the next start.
      await outbox.queue.close();
      await (await house.channels.known())?.channels.stop();
      const cancel = [
        clock.after(DRAIN_MS, () => lanes.abortAll("shutdown")),
        clock.after(DRAIN_MS + ABORT_GRACE_MS, () => house.shutdown.abort()),
      ];
      await lanes.idle();
      for (const task of cancel) task();
    },
    async stop() {
      watching[Symbol.dispose]();
      stopTending();
      await (await house.channels.known())?.stop();
      (await house.search.known())?.close();
      stopWaking();
      await (await house.memory.known())?.close();
      await (await house.exec.known())?.close();
      await house.sandboxes.close();
      house.shutdown.abort();
      await outbox.flush().catch((error: unknown) => log.warn("receipts not written", { error: String(error) }));
      await auditing.stop();
      await files.stop();
    },
    onRestartNeeded: (task) => house.onRestartNeeded(task),
    onDoorChange: (task) => void doorTasks.push(task),
  };
}

/** A person may take long to answer: whoever waits for one is taken up by the next start, and may ask again. */
async function leaveQuestions({ turnServices, inbound }: House): Promise<void> {
  const services = await turnServices.known();
  services?.approvals.letGo(({ sessionKey, runId }) => void inbound.stop(sessionKey, "shutdown", runId));
}

function listenInside({ ledger, bus, changes, runEvents, hookStarter, devices, vault, nodes, log }: House): void {
  ledger.onCommit((note) => changes.noteCommit(note));
  ledger.onCommit((note) => hookStarter.committed(note));
  bus.onAny((event) => hookStarter.told(event));
  bus.onAny((event) => runEvents.handle(event));
  vault.onChange(() => changes.note("credentials"));
  devices.onChange((change) => {
    changes.note("devices");
    if (change.kind !== "removed") return;
    nodes()
      .then((room) => room.forget(change.deviceId))
      .catch((error: unknown) => log.error("a removed node could not be forgotten", { error: String(error) }));
  });
}

function memoryFacts({ config, paths, workspaceOf }: House) {
  const settingsOf = (agentId: string) => memorySettings(config.current(), agentId, workspaceOf(agentId), paths);
  const all = () => listAgents(config.current()).map(({ id }) => ({ id, ...settingsOf(id) }));
  return {
    agentIds: () => all().flatMap(({ id, isOn }) => (isOn ? [id] : [])),
    hasIndex: () => all().some(({ path }) => existsSync(path)),
    isReadByModel: () => all().some(({ isOn, reads }) => isOn && reads),
  };
}

function tend({ ledger, clock, log, stateDir, config, keys, lanes, transcripts }: House): () => void {
  return limitSessions({
    ledger,
    clock,
    log,
    stateDir,
    limits: () => maintenanceLimits(config.current()),
    keep: (key) => key === mainSessionKey(agentOfSessionKey(key) ?? "", keys()) || lanes.runIds(key).length > 0,
    changed: () => transcripts.forgetAll(),
  });
}

function applyConfig(house: House, plan: ReloadPlan, doorTasks: ReadonlyArray<() => void>): void {
  const { config, log, auditing, changes, memory } = house;
  const { changed, restart, hot } = plan;
  for (const secret of config.secrets()) log.addSecret(secret);
  log.info("configuration applied", { changed, restarts: restart || hot });
  auditing.configured(changed);
  changes.noteConfig(changed);
  if (changed.some((path) => path.startsWith("channels"))) void applyChannels(house);
  void memory.known()?.then((room) => room.reconfigured());
  if (restart) house.restart();
  else if (changed.some((path) => path.startsWith("gateway."))) for (const task of doorTasks) task();
}

/** Starts and stops accounts until they are what the configuration says. */
async function applyChannels({ channels, hasChannels, log }: House): Promise<void> {
  try {
    if (channels.known() || hasChannels()) await (await channels()).apply();
  } catch (error) {
    log.error("channels could not be started", { error: String(error) });
  }
}
