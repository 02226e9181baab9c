// Changes the door must hear about: requests to show, and grants that ended and whose connections must close.
import type { PairingGap } from "./decide-pairing.ts";
import { approvedScopesOf, rolesOf, tokenOf, type PairedDevice, type PendingRequest } from "./records.ts";
import { scopesCover } from "./scopes.ts";

export type DeviceChange =
  | { readonly kind: "requested"; readonly request: PendingRequest }
  | {
      readonly kind: "resolved";
      readonly requestId: string;
      readonly deviceId: string;
      readonly decision: "approved" | "rejected";
      readonly at: number;
      /** Nobody was asked: why the device would have needed an approval, or that it was written into the file. */
      readonly unasked?: {
        readonly why: PairingGap | "file";
        readonly role?: string;
        readonly scopes?: readonly string[];
      };
    }
  | { readonly kind: "revoked"; readonly deviceId: string; readonly role: string }
  | {
      readonly kind: "rotated";
      readonly deviceId: string;
      readonly role: string;
      /**
       * "requested": somebody replaced the token, so every connection of the role ends. "reissued": a connection asked
       * for more than the old token held and got a new one, so only connections that came in by the old one end.
       */
      readonly cause: "requested" | "reissued";
    }
  | { readonly kind: "removed"; readonly deviceId: string };

/** The grants that `after` no longer has. */
export function changesBetween(
  before: ReadonlyMap<string, PairedDevice>,
  after: ReadonlyMap<string, PairedDevice>,
): DeviceChange[] {
  return [...before.values()].flatMap((device): DeviceChange[] => {
    const now = after.get(device.deviceId);
    if (!now || now.publicKey !== device.publicKey) return [{ kind: "removed", deviceId: device.deviceId }];
    return rolesOf(device).flatMap((role) => roleChange(device, now, role) ?? []);
  });
}

/** The devices that `after` grants more than `before`. */
export function widenedBetween(
  before: ReadonlyMap<string, PairedDevice>,
  after: ReadonlyMap<string, PairedDevice>,
): PairedDevice[] {
  return [...after.values()].filter((now) => {
    const last = before.get(now.deviceId);
    if (!last || last.publicKey !== now.publicKey) return true;
    const roles = rolesOf(last);
    return rolesOf(now).some(
      (role) => !roles.includes(role) || !scopesCover(role, approvedScopesOf(last), approvedScopesOf(now)),
    );
  });
}

function roleChange(before: PairedDevice, after: PairedDevice, role: string): DeviceChange | undefined {
  const { deviceId } = before;
  const last = tokenOf(before, role);
  const now = tokenOf(after, role);
  const isNarrower = !scopesCover(role, approvedScopesOf(after), approvedScopesOf(before));
  const isRevokedNow = last !== undefined && last.revokedAtMs === undefined && now?.revokedAtMs !== undefined;
  const isGone = last !== undefined && !now;
  if (!rolesOf(after).includes(role) || isNarrower || isRevokedNow || isGone) {
    return { kind: "revoked", deviceId, role };
  }
  if (last && last.revokedAtMs === undefined && now?.token !== last.token) {
    return { kind: "rotated", deviceId, role, cause: "reissued" };
  }
  return undefined;
}
