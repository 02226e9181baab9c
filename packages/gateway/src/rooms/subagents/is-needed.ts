// Tells whether a start of the gateway has anything to do for sub-agents. Most have not, and load nothing of them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { OPEN_ERRANDS, type Ledger } from "@chela/sdk";

/** Set once the file of an earlier version was looked at. */
export const IMPORTED = "subagents.imported";

export async function needsSubagents(ledger: Ledger, stateDir: string): Promise<boolean> {
  for (const kind of ["subagent", "announce"] as const) {
    if ((await ledger.countErrands({ kind, states: OPEN_ERRANDS })) > 0) return true;
  }
  if (existsSync(runsFile(stateDir)) && !(await ledger.value(IMPORTED))) return true;
  const known = await ledger.errands({ kind: "subagent", limit: 1 });
  if (known.length === 0) return false;
  for (const search of [":subagent:", ":acp:"]) {
    if ((await ledger.sessions({ search, includeHidden: true, limit: 1 })).length > 0) return true;
  }
  return false;
}

export function runsFile(stateDir: string): string {
  return join(stateDir, "subagents", "runs.json");
}
