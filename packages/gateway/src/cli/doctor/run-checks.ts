// Makes the checks of `chela doctor`: those of the machine, then those that rooms hand in, in the order of the rooms.
import { GatewayError, type DoctorCheck, type DoctorLine } from "@chela/sdk";
import type { CommandCall } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { stateLockPath } from "../../base/locks/gateway-lock.ts";
import { inspectLock } from "../../base/locks/holder.ts";
import { CONTRIBUTIONS } from "../../house/contributions.ts";
import type { House } from "../../house/house.ts";
import { withHouse } from "../offline/ask-offline.ts";
import { writeLedger } from "../offline/open-ledger.ts";
import { OWN_CHECKS } from "./own-checks.ts";

/** A line with the name of its check. */
export interface NamedLine extends DoctorLine {
  readonly name: string;
}

/** All checks, or those of one name. */
export async function runChecks(call: CommandCall, repairs: boolean, only?: string): Promise<NamedLine[]> {
  const checks = (await allChecks()).filter(({ name }) => only === undefined || name === only);
  return withHouse(call, "look", async (house) => {
    const { paths } = house;
    const isRunning = inspectLock(stateLockPath(paths.stateDir), systemClock).kind === "held";
    const tell = (text: string): void => call.terminal.note(text);
    const doctor = { call, repairs, isRunning, rebuildLedger: () => writeLedger(paths, tell, async () => {}) };
    const found: NamedLine[] = [];
    for (const { name, look } of checks)
      for (const line of await lookAtOne(() => look(house, doctor))) found.push({ name, ...line });
    return found;
  });
}

/** One that cannot look does not keep the others from it. */
async function lookAtOne(look: () => ReturnType<DoctorCheck<House>["look"]>): Promise<readonly DoctorLine[]> {
  try {
    return await look();
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return [{ state: "warn", says: `it could not be looked at: ${error.message}`, fix: error.row.fix }];
  }
}

async function allChecks(): Promise<ReadonlyArray<DoctorCheck<House>>> {
  const handedIn = await Promise.all(CONTRIBUTIONS.map(async ({ doctor }) => (await doctor?.()) ?? []));
  return [...OWN_CHECKS, ...handedIn.flat()];
}
