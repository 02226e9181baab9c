// A house over a state directory while no gateway runs on it: the same services, without doors and without anything that
// lives by itself.
import { join } from "node:path";
import type { Clock, Ids, Logger } from "@chela/sdk";
import type { OfflineUse } from "@chela/sdk/protocol";
import { createBelieved } from "../../base/files/believed.ts";
import type { LogSink } from "../../base/log.ts";
import { createConfigStore, type StatePaths } from "../../rooms/config/room.ts";
import { createDevices } from "../../rooms/devices/room.ts";
import { House } from "../house.ts";
import { openModels } from "../open-models.ts";
import { openVaultDoor } from "../start/vault.ts";
import { createOfflineLedger } from "./offline-ledger.ts";

export interface OfflineOptions {
  readonly paths: StatePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly use: OfflineUse;
  /** A gateway runs, and looks at the same files. */
  readonly isBeside: boolean;
  /** Shows a line to the person who waits. */
  tell(text: string): void;
}

export interface OfflineHouse {
  readonly house: House;
  close(): Promise<void>;
}

export async function openOffline(options: OfflineOptions): Promise<OfflineHouse> {
  const { paths, env, version, clock, ids, tell } = options;
  const { stateDir } = paths;
  const log = tellingLog(tell);
  const offline = createOfflineLedger({ ...options, log });
  const vault = openVaultDoor({ paths, clock, log, env });
  await vault.door.openIfNeeded();
  // What is wrong with the file is told by whoever asks for it.
  const silent = tellingLog(() => {});
  const config = createConfigStore({ paths, env, clock, log: silent, version, secrets: vault.door.secrets });
  await vault.serve(config);
  // What is approved here is believed by a gateway that runs: both know the same key.
  const believed = createBelieved({ folder: join(stateDir, "identity"), runsAgents: false, log });
  const devices = createDevices({ stateDir, clock, ids, log, believed });
  const models = openModels({ config, clock, log, ids, paths, vault: vault.door });
  const house = new House({
    version,
    paths,
    clock,
    ids,
    log,
    config,
    ledger: offline.ledger,
    devices,
    believed,
    get auditKey() {
      return offline.auditKey;
    },
    isAlone: () => true,
    models,
    auth: {},
    // That a command reads the configuration is no use of what it refers to.
    vault: { ...vault.door, onUse: () => {} },
  });
  await offline.prepare();
  return {
    house,
    async close() {
      await closeServices(house);
      devices.flush();
      models.close();
      config.close();
      await vault.door.close();
      await offline.close();
    },
  };
}

/** Those that were opened, in reverse of a start; what waits to be written is written. */
async function closeServices({ services, sandboxes, shutdown, auditing }: House) {
  shutdown.abort();
  await services.close();
  await sandboxes.close();
  await auditing.close();
}

/** Hands on what a person should know; fields are left out, since commands print results of their own. */
function tellingLog(tell: (text: string) => void): LogSink {
  const secrets = new Set<string>();
  const redact = (text: string): string => {
    for (const secret of secrets) text = text.replaceAll(secret, "[redacted]");
    return text;
  };
  const warn = (text: string): void => tell(redact(text));
  const ignore = (): void => {};
  const log: LogSink = {
    log: (level, text) => ["warn", "error", "fatal"].includes(level) && warn(text),
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn,
    error: warn,
    child: (): Logger => log,
    addSecret: (value) => void secrets.add(value),
    redact,
    change: ignore,
    flush: ignore,
    currentFile: () => undefined,
    onLines: () => ignore,
  };
  return log;
}
