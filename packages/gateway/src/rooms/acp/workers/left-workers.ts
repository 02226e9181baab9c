// Tells whether a start of the gateway has anything to do for workers. Most have not, and load nothing of them.
import type { Ledger } from "@chela/sdk";

/** Where the processes are written down that run now. */
export const PROCESSES = "acp.processes";

export async function leftWorkers(ledger: Pick<Ledger, "value">): Promise<boolean> {
  return ((await ledger.value(PROCESSES)) ?? "[]") !== "[]";
}
