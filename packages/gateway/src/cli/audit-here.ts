// The audit trail as it lies in the ledger of this machine, for commands that run without a gateway.
import { METHODS } from "@chela/sdk/protocol";
import { listAudit, loadAuditCheck, readAuditKey, readHead } from "../rooms/audit/room.ts";
import { openStateDirectory } from "../rooms/config/state/legacy-state.ts";
import type { AskFiles } from "./ask-gateway.ts";
import { CommandFailure } from "./command-failure.ts";
import type { CommandCall } from "./command-spec.ts";
import { readLedger } from "./open-ledger.ts";

/** The same answers as the methods of a gateway give. */
export function askAuditHere(call: CommandCall): AskFiles {
  const { paths } = openStateDirectory(call.env, call.state);
  return async (method, params = {}) => {
    switch (method) {
      case "audit.list":
        return readLedger(paths, (ledger) => listAudit(ledger, METHODS["audit.list"].params().parse(params)));
      case "audit.verify": {
        const { verifyTrail } = await loadAuditCheck();
        const key = readAuditKey(paths.stateDir);
        return readLedger(paths, (ledger) => verifyTrail(ledger, readHead(paths.stateDir, key), { key }));
      }
      default:
        throw new CommandFailure("no-gateway", `${method} needs a running gateway.`);
    }
  };
}
