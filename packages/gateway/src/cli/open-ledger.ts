// The ledger for commands: read beside a running gateway, or held alone while something is written.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { openAuditKey } from "../rooms/audit/room.ts";
import { systemClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import { acquireGatewayLock } from "../base/files/lock-file.ts";
import type { StatePaths } from "../rooms/config/state/state-paths.ts";
import { openDatabase, openOrRecover, SqliteLedger } from "../rooms/ledger/room.ts";
import { CommandFailure } from "./command-failure.ts";
import { createCommandLog } from "./silent-log.ts";

export function ledgerPath({ stateDir }: StatePaths): string {
  return join(stateDir, "ledger.sqlite");
}

/** Never changes anything, so it is safe while the gateway runs. */
export async function readLedger<T>(paths: StatePaths, use: (ledger: SqliteLedger) => Promise<T>): Promise<T> {
  const path = ledgerPath(paths);
  if (!existsSync(path)) {
    throw new CommandFailure("other", `There is no ledger in ${paths.stateDir} yet.`, {
      fix: "The first start of the gateway makes it: chela gateway run",
    });
  }
  const ledger = new SqliteLedger(openDatabase(path, { readOnly: true }));
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** Holds the gateway's lock meanwhile: two writers that do not know of each other would undo each other's work. */
export async function writeLedger<T>(
  paths: StatePaths,
  tell: (text: string) => void,
  use: (ledger: SqliteLedger) => Promise<T>,
): Promise<T> {
  const { stateDir, configPath } = paths;
  const lock = takeLock({ stateDir, configPath, clock: systemClock });
  try {
    const log = createCommandLog(tell);
    const { ledger } = await openOrRecover({
      path: ledgerPath(paths),
      stateDir,
      log,
      clock: systemClock,
      ids: createIds(),
      auditKey: openAuditKey(stateDir).key,
    });
    try {
      return await use(ledger);
    } finally {
      await ledger.close();
    }
  } finally {
    lock.release();
  }
}

function takeLock(options: Parameters<typeof acquireGatewayLock>[0]): ReturnType<typeof acquireGatewayLock> {
  try {
    return acquireGatewayLock(options);
  } catch (error) {
    if (!GatewayError.is(error) || error.code !== "START_LOCKED") throw error;
    throw new CommandFailure("other", `This needs the ledger for itself, and a gateway uses it: ${error.detail}.`, {
      fix: "Stop it with `chela gateway stop`, repeat this, and start it again.",
    });
  }
}
