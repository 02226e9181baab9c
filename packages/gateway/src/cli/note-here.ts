// Writes into the audit trail what a command did by itself, while no gateway runs that would have written it.
import { auditChange, type NewAuditEvent } from "../rooms/audit/room.ts";
import { systemClock } from "../base/clock.ts";
import type { StatePaths } from "../rooms/config/room.ts";
import type { CommandCall } from "./command-spec.ts";
import { writeLedger } from "./open-ledger.ts";

/** Who may run commands here is at the machine itself. */
export const AT_THE_MACHINE = "cli";

/** Never rejects: it is done already, so that it could not be written down is worth a note and no failure. */
export async function noteHere(call: CommandCall, paths: StatePaths, event: NewAuditEvent): Promise<void> {
  const tell = (text: string): void => call.terminal.note(text);
  try {
    await writeLedger(paths, tell, (ledger) => ledger.commit([auditChange(event, systemClock.now())]));
  } catch (error) {
    tell(`This is not in the audit trail: ${error instanceof Error ? error.message : String(error)}`);
  }
}
