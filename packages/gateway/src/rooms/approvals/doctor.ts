// Checks by `chela doctor` of approvals: what of exec-approvals.json a running gateway does not believe.
import type { DoctorCall, DoctorCheck, DoctorLine } from "@chela/sdk";
import { CommandFailure } from "@chela/sdk/command-line";
import { count } from "../../base/terminal/layout.ts";
import type { House } from "../../house/house.ts";

const PROBE_MS = 3000;

export const checks: ReadonlyArray<DoctorCheck<House>> = [
  { name: "Approvals", look: (_house, doctor) => checkBelieved(doctor) },
];

/** Only a gateway that runs knows; that it does not answer is told by another check. */
async function checkBelieved({ call, isRunning }: DoctorCall): Promise<DoctorLine[]> {
  if (!isRunning) return [];
  try {
    const link = await call.gateway.connect({ timeoutMs: PROBE_MS });
    const { notBelieved = [] } = await link.ask("exec.approvals.get").finally(() => link.close());
    if (notBelieved.length === 0) return [];
    const added = count(notBelieved.length, "addition");
    const says = `somebody else wrote ${added} into exec-approvals.json while agents could run commands; not in force`;
    return [{ state: "warn", says, fix: "chela approvals get shows it, chela approvals accept believes it" }];
  } catch (error) {
    if (!CommandFailure.is(error)) throw error;
    return [];
  }
}
