// Checks by `chela doctor` of the sandbox: whether it can be kept, as the running gateway finds it or this process does.
import { GatewayError, type DoctorCall, type DoctorCheck, type DoctorLine } from "@chela/sdk";
import { CommandFailure } from "@chela/sdk/command-line";
import type { MethodResult } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type Status = MethodResult<"sandbox.status">;
type CheckedServices = Pick<House, "agents" | "sandboxes">;

export const checks: ReadonlyArray<DoctorCheck<House>> = [{ name: "Sandbox", look: checkSandbox }];

/** Sets one up, so it takes its time. Nothing when the gateway or the ledger does not answer, which other checks say. */
async function checkSandbox({ agents, sandboxes }: CheckedServices, { call }: DoctorCall): Promise<DoctorLine[]> {
  const settings = agents().map(({ id }) => sandboxes.settingsOf(id));
  const wanted = settings.filter(({ mode, backend }) => mode !== "off" && backend !== "host");
  if (wanted.length === 0) return [{ state: "ok", says: "off, as it is configured: commands run on this machine" }];
  const status = await askStatus(call);
  const isSaid = settings.some(({ mode }) => mode !== undefined);
  return status ? [judge(status, new Set(wanted.map(({ backend }) => backend)), isSaid)] : [];
}

async function askStatus({ gateway }: DoctorCall["call"]): Promise<Status | undefined> {
  let status: Status | undefined;
  try {
    await gateway.askOrOffline(async (ask) => void (status = await ask("sandbox.status")));
  } catch (error) {
    if (!CommandFailure.is(error) && !GatewayError.is(error)) throw error;
  }
  return status;
}

/** `wanted` are backends by their name, or any. */
function judge({ backends, isKeptByDefault }: Status, wanted: Set<string>, isConfigured: boolean): DoctorLine {
  const missing = [...wanted].flatMap((id) => {
    const usable = backends.filter((one) => id === "auto" || one.id === id);
    return usable.some(({ check }) => check.kind === "ready") ? [] : usable.slice(0, 1);
  });
  const [first] = missing;
  if (first?.check.kind !== "unusable") {
    const ready = backends.filter(({ check }) => check.kind === "ready").map(({ id }) => id);
    return { state: "ok", says: `ready: ${ready.join(", ")}` };
  }
  const { why, fix } = first.check;
  if (isKeptByDefault || isConfigured)
    return { state: "fail", says: `sandboxed conversations run no commands. ${first.id}: ${why}`, fix };
  return { state: "warn", says: `commands run on this machine, with approvals. ${first.id}: ${why}`, fix };
}
