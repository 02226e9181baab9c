// Devices from the files of this machine, for when the gateway does not run, or does not take us for its owner.
import { join } from "node:path";
import { pairingEvent } from "../rooms/audit/room.ts";
import { createBelieved } from "../base/files/believed.ts";
import { systemClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import { openStateDirectory } from "../rooms/config/room.ts";
import { createDevices, viewDevice, type Devices } from "../rooms/devices/room.ts";
import type { AskFiles } from "./ask-gateway.ts";
import { CommandFailure } from "./command-failure.ts";
import type { CommandCall } from "./command-spec.ts";
import { AT_THE_MACHINE, noteHere } from "./note-here.ts";
import { createCommandLog } from "./silent-log.ts";

/** Whoever may write these files could write anything into them. */
const OWNER = ["operator.admin"];

/**
 * The same answers as the methods of a gateway give. One that runs notices what changed in its files, acts on it and
 * writes it into the audit trail; else that is done here.
 */
export function askDevicesHere(call: CommandCall, gatewayRuns: boolean): AskFiles {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const log = createCommandLog((text) => call.terminal.note(text));
  // What is approved here is believed by a gateway that runs: both know the same key.
  const believed = createBelieved({ folder: join(paths.stateDir, "identity"), runsAgents: false, log });
  const devices = createDevices({ stateDir: paths.stateDir, clock: systemClock, ids: createIds(), log, believed });
  const note = async (step: "approved" | "rejected" | "removed" | "rotated" | "revoked", deviceId: string) => {
    if (gatewayRuns) return;
    await noteHere(call, paths, pairingEvent({ step, target: `device:${deviceId}`, actor: AT_THE_MACHINE }));
  };
  const methods: Readonly<Record<string, (params: never) => Promise<unknown>>> = {
    "device.pair.list": async () => devices.list(),
    "device.pair.approve": async ({ requestId }: { requestId: string }) => {
      const outcome = devices.approve(requestId, OWNER);
      if (outcome.kind !== "approved") throw unknown("waiting request");
      tellOfNode(call, devices, outcome.device.deviceId);
      await note("approved", outcome.device.deviceId);
      return { requestId, device: viewDevice(outcome.device) };
    },
    "device.pair.reject": async ({ requestId }: { requestId: string }) => {
      const outcome = devices.reject(requestId);
      if (outcome.kind !== "rejected") throw unknown("waiting request");
      await note("rejected", outcome.deviceId);
      return { requestId, deviceId: outcome.deviceId };
    },
    "device.pair.remove": async ({ deviceId }: { deviceId: string }) => {
      if (devices.remove(deviceId).kind !== "removed") throw unknown("paired device");
      await note("removed", deviceId);
      return { deviceId };
    },
    "device.token.rotate": async (asked: { deviceId: string; role: string; scopes?: readonly string[] }) => {
      const { deviceId, role, scopes } = asked;
      const outcome = devices.rotateToken(deviceId, role, { callerScopes: OWNER, ...(scopes ? { scopes } : {}) });
      if (outcome.kind === "unknown-token") throw unknown("token of this device and role");
      if (outcome.kind !== "rotated") throw new CommandFailure("call", `missing scope: ${outcome.missing}`);
      await note("rotated", deviceId);
      const { kind: _kind, ...rotated } = outcome;
      return rotated;
    },
    "device.token.revoke": async ({ deviceId, role }: { deviceId: string; role: string }) => {
      const outcome = devices.revokeToken(deviceId, role);
      if (outcome.kind !== "revoked") throw unknown("token of this device and role");
      await note("revoked", deviceId);
      return { deviceId, role, revokedAtMs: outcome.revokedAtMs };
    },
  };
  return async (method, params = {}) => methods[method]?.(params as never);
}

/** What a node may do is approved by the gateway it offers it to. */
function tellOfNode({ terminal }: CommandCall, devices: Devices, deviceId: string): void {
  if (devices.find(deviceId)?.roles?.includes("node"))
    terminal.note("It is a node: when it has connected, `chela nodes approve` lets agents use what it offers.");
}

function unknown(what: string): CommandFailure {
  return new CommandFailure("other", `There is no such ${what}.`, { fix: "`chela devices list` shows what there is." });
}
