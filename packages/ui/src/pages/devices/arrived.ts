// Finds out whether the device a setup code was made for has come: nobody says which code a device brought.
import type { PairedDevice } from "./device-words.ts";
import { rolesOf } from "./device-words.ts";

export interface AwaitedDevice {
  /** Who was paired before, and since when with what they have. */
  readonly before: ReadonlyMap<string, number>;
  readonly roles: readonly string[];
  /** What it was to be called; then it is called so. */
  readonly name: string | undefined;
}

/** What no setup code gives. */
const NEVER_BY_CODE = ["operator.admin", "operator.pairing"];

export function whoIsPaired(paired: readonly PairedDevice[]): Map<string, number> {
  return new Map(paired.map(({ deviceId, approvedAtMs }) => [deviceId, approvedAtMs]));
}

/** `answered` are devices that were let in by a person's answer meanwhile. */
export function findArrived(
  paired: readonly PairedDevice[],
  { before, roles, name }: AwaitedDevice,
  answered: ReadonlySet<string>,
): PairedDevice | undefined {
  return paired.find((device) => {
    const isNew = before.get(device.deviceId) !== device.approvedAtMs;
    const hasRole = rolesOf(device).some((role) => roles.includes(role));
    const isBeyond = (device.scopes ?? []).some((scope) => NEVER_BY_CODE.includes(scope));
    const isCalledSo = name === undefined || device.displayName === name;
    return isNew && hasRole && !isBeyond && isCalledSo && !answered.has(device.deviceId);
  });
}
