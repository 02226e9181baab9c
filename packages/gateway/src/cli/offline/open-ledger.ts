// The ledger for commands: read beside a running gateway, or held alone while something is written.
import { existsSync } from "node:fs";
import { GatewayError, type Logger } from "@chela/sdk";
import { CommandFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "../../base/ids.ts";
import { ledgerPath } from "../../rooms/ledger/room.ts";
import { holdLedger, openToRead, type HeldLedger } from "../../house/offline/hold-ledger.ts";
import type { StatePaths } from "../../rooms/config/state/state-paths.ts";
import type { SqliteLedger } from "../../rooms/ledger/room.ts";
import { createCommandLog } from "../../base/terminal/command-log.ts";

export { ledgerPath };

/** Never changes anything, so it is safe while the gateway runs. */
export async function readLedger<T>(paths: StatePaths, use: (ledger: SqliteLedger) => Promise<T>): Promise<T> {
  if (!existsSync(ledgerPath(paths))) {
    throw new CommandFailure("other", `There is no ledger in ${paths.stateDir} yet.`, {
      fix: "The first start of the gateway makes it: chela gateway run",
    });
  }
  const ledger = openToRead(paths);
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
  const { ledger, release } = await hold(paths, createCommandLog(tell));
  try {
    return await use(ledger);
  } finally {
    await release();
  }
}

async function hold(paths: StatePaths, log: Logger): Promise<HeldLedger> {
  try {
    return await holdLedger({ paths, log, clock: systemClock, ids: createIds() });
  } catch (error) {
    if (!GatewayError.is(error) || error.code !== "START_LOCKED") throw error;
    throw new CommandFailure("other", `This needs the ledger for itself, and a gateway uses it: ${error.detail}.`, {
      fix: "Stop it with `chela gateway stop`, repeat this, and start it again.",
    });
  }
}
