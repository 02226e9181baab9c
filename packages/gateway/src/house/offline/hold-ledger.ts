// The ledger for whoever is no gateway: read beside one that runs, or held alone, with the gateway's lock, to write.
import type { Clock, Ids, Logger } from "@chela/sdk";
import { acquireGatewayLock } from "../../base/locks/gateway-lock.ts";
import { openAuditKey, type AuditKey } from "../../rooms/audit/room.ts";
import type { StatePaths } from "../../rooms/config/room.ts";
import { ledgerPath, openDatabase, openOrRecover, SqliteLedger } from "../../rooms/ledger/room.ts";

export interface LedgerPlace {
  readonly paths: Pick<StatePaths, "stateDir" | "configPath">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
}

export interface HeldLedger {
  readonly ledger: SqliteLedger;
  readonly auditKey: AuditKey;
  /** Closes it and gives the lock back. */
  release(): Promise<void>;
}

/** Never changes anything, so it is safe while a gateway runs. The file must be there. */
export function openToRead(paths: Pick<StatePaths, "stateDir">): SqliteLedger {
  return new SqliteLedger(openDatabase(ledgerPath(paths), { readOnly: true }));
}

/** Two writers that do not know of each other would undo each other's work. Throws START_LOCKED. */
export async function holdLedger({ paths, clock, ids, log }: LedgerPlace): Promise<HeldLedger> {
  const { stateDir, configPath } = paths;
  const lock = acquireGatewayLock({ stateDir, configPath, clock });
  try {
    const auditKey = openAuditKey(stateDir);
    const path = ledgerPath(paths);
    const { ledger } = await openOrRecover({ path, stateDir, log, clock, ids, auditKey: auditKey.key });
    return { ledger, auditKey, release: () => ledger.close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}
