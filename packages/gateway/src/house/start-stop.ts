// Steps of a gateway's start and stop, in order, and who hears of whom. What runs by itself is contributed (contributed/services.ts).
import type { ReloadPlan } from "../rooms/config/room.ts";
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
  const { clock, config, lanes, files, services } = house;
  const doorTasks: Array<() => void> = [];
  listenInside(house);
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
      await services.open();
      await services.start();
      lanes.release();
      files.start();
    },
    async drain() {
      lanes.hold();
      await leaveQuestions(house);
      await services.stop();
      await services.leave();
      const cancel = [
        clock.after(DRAIN_MS, () => lanes.abortAll("shutdown")),
        clock.after(DRAIN_MS + ABORT_GRACE_MS, () => house.shutdown.abort()),
      ];
      await lanes.idle();
      for (const task of cancel) task();
    },
    async stop() {
      watching[Symbol.dispose]();
      house.shutdown.abort();
      await services.close();
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

function listenInside({ ledger, bus, changes, runEvents, hookTeller, devices, vault, nodes, log }: House): void {
  ledger.onCommit((note) => changes.noteCommit(note));
  ledger.onCommit((note) => hookTeller.committed(note));
  bus.onAny((event) => hookTeller.told(event));
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

function applyConfig(house: House, plan: ReloadPlan, doorTasks: ReadonlyArray<() => void>): void {
  const { config, log, services, changes } = house;
  const { changed, restart, hot } = plan;
  for (const secret of config.secrets()) log.addSecret(secret);
  log.info("configuration applied", { changed, restarts: restart || hot });
  services.configured(changed);
  changes.noteConfig(changed);
  if (restart) house.restart();
  else if (changed.some((path) => path.startsWith("gateway."))) for (const task of doorTasks) task();
}
