// The pairing of devices: who is let in, what each was approved for, and every change to that.
import { changesBetween } from "./changes.ts";
import { decidePairing, findGap, isSameKey, type PairingGap, type Reach } from "./decide-pairing.ts";
import { beyond, createDeviceTokens } from "./device-tokens.ts";
import { approval, PairedBook, type BookParts } from "./paired-book.ts";
import { boundScopes, describe, type PendingList } from "./pending.ts";
import {
  approvedScopesOf,
  rolesOf,
  type DeviceToken,
  type PairedDevice,
  type PairingRequest,
  type PendingRequest,
} from "./records.ts";
import { mergeScopes } from "./scopes.ts";
import { findReusableToken, issueToken, withToken } from "./tokens.ts";

export type Admission =
  | {
      readonly kind: "admitted";
      readonly device: PairedDevice;
      readonly token: DeviceToken;
      /** What this connection may do: what it asked for, as far as it was granted. */
      readonly scopes: readonly string[];
      /** Set when the pairing was approved just now without a question. */
      readonly approvedFor?: PairingGap;
    }
  | {
      readonly kind: "needs-approval";
      readonly reason: PairingGap;
      readonly request: PendingRequest;
      readonly isNew: boolean;
    };

export type ApproveOutcome =
  | { readonly kind: "approved"; readonly requestId: string; readonly device: PairedDevice }
  | { readonly kind: "unknown-request" }
  | { readonly kind: "beyond-approver"; readonly missing: string };

export interface PairingParts extends BookParts {
  readonly pending: PendingList;
}

export type Pairing = ReturnType<typeof createPairing>;

export function createPairing(parts: PairingParts) {
  const { pending, clock, ids, emit } = parts;
  const book = new PairedBook(parts);

  const grant = (request: PairingRequest & { roles?: string[] | undefined }): PairedDevice =>
    toPaired(book.read().get(request.deviceId), request, clock.now());

  const announceLost = (before: PairedDevice | undefined, after: PairedDevice): void => {
    if (!before) return;
    const change = changesBetween(new Map([[before.deviceId, before]]), new Map([[after.deviceId, after]]));
    for (const each of change) emit(each);
  };

  const ensureToken = (device: PairedDevice, request: PairingRequest): { device: PairedDevice; token: DeviceToken } => {
    const { scopes } = request;
    const reusable = findReusableToken(device, request.role, scopes);
    if (reusable) return { device, token: reusable };
    const token = issueToken(device, request.role, scopes, { ids, now: clock.now() });
    return { device: withToken(device, token), token };
  };

  /** The question a device asked before it came with the answer; it is no longer asked. */
  const takeRequest = (deviceId: string): PendingRequest | undefined => {
    const waiting = pending.all().find((request) => request.deviceId === deviceId);
    if (waiting) pending.delete(waiting.requestId);
    return waiting;
  };

  return {
    /** Would `admit` ask a person? Changes nothing. */
    needsApproval(asked: PairingRequest, reach: Reach): boolean {
      const request = boundRequest(asked, reach);
      return decidePairing({ paired: book.read().get(request.deviceId), request, ...reach }).kind === "needs-approval";
    },

    /** For a client that showed a valid credential and proved its device. */
    admit(asked: PairingRequest, reach: Reach): Admission {
      const request = boundRequest(asked, reach);
      const { scopes } = request;
      const before = book.read().get(request.deviceId);
      const decision = decidePairing({ paired: before, request, ...reach });
      if (decision.kind === "needs-approval") {
        const added = pending.add(request, before !== undefined);
        if (added.isNew) emit({ kind: "requested", request: added.request });
        return { kind: "needs-approval", reason: decision.reason, ...added };
      }
      const approved = decision.kind === "auto-approve" || !before ? grant(request) : before;
      const { device, token } = ensureToken(approved, request);
      if (device !== before) {
        book.put(device);
        announceLost(before, device);
      }
      if (decision.kind === "paired") return { kind: "admitted", device, token, scopes };
      const waiting = takeRequest(device.deviceId);
      const unasked = reach.isApproved ? undefined : { why: decision.reason, role: request.role, scopes };
      const requestId = waiting?.requestId ?? ids.uuid();
      emit(approval({ deviceId: device.deviceId, requestId, at: clock.now(), unasked }));
      return { kind: "admitted", device, token, scopes, approvedFor: decision.reason };
    },

    /** `approverScopes` are the scopes the approving connection really holds. */
    approve(requestId: string, approverScopes: readonly string[]): ApproveOutcome {
      const request = pending.get(requestId);
      if (!request) return { kind: "unknown-request" };
      const before = book.read().get(request.deviceId);
      const device = grant({ ...request, role: request.role ?? "operator", scopes: request.scopes ?? [] });
      const missing = beyond(approverScopes, approvedScopesOf(device));
      if (missing !== undefined) return { kind: "beyond-approver", missing };
      book.put(device);
      pending.delete(requestId);
      announceLost(before, device);
      emit(approval({ deviceId: device.deviceId, requestId, at: clock.now() }));
      return { kind: "approved", requestId, device };
    },

    reject(requestId: string): { kind: "rejected"; requestId: string; deviceId: string } | { kind: "unknown-request" } {
      const request = pending.get(requestId);
      if (!request) return { kind: "unknown-request" };
      const { deviceId } = request;
      pending.delete(requestId);
      emit({ kind: "resolved", requestId, deviceId, decision: "rejected", at: clock.now() });
      return { kind: "rejected", requestId, deviceId };
    },

    remove(deviceId: string): { kind: "removed"; deviceId: string } | { kind: "unknown-device" } {
      const devices = new Map(book.read());
      if (!devices.delete(deviceId)) return { kind: "unknown-device" };
      book.save(devices);
      emit({ kind: "removed", deviceId });
      return { kind: "removed", deviceId };
    },

    /** Is it paired, under this key? */
    isKnown(deviceId: string, publicKey: string): boolean {
      const device = book.read().get(deviceId);
      return device !== undefined && isSameKey(device.publicKey, publicKey);
    },

    ...createDeviceTokens(book, parts),
    find: (deviceId: string): PairedDevice | undefined => book.read().get(deviceId),
    pending: (): PendingRequest[] => pending.all(),
    paired: (): PairedDevice[] => [...book.read().values()].toSorted((a, b) => b.approvedAtMs - a.approvedAtMs),
    flush: () => book.rememberUses(),
  };
}

/** Scopes in a sane number and length, the same for every later step; our own address is not worth noting. */
function boundRequest(asked: PairingRequest, reach: Reach): PairingRequest {
  return { ...asked, scopes: boundScopes(asked.scopes), ...(reach.isLocal ? { remoteIp: undefined } : {}) };
}

/**
 * An upgrade of an intact pairing adds to it. Anything else (new key, other platform) starts from nothing, so that what
 * a person approves now is all there is.
 */
function toPaired(
  existing: PairedDevice | undefined,
  request: PairingRequest & { roles?: string[] | undefined },
  now: number,
): PairedDevice {
  const gap = findGap(existing, request);
  const kept = gap === "not-paired" || gap === "metadata-upgrade" ? undefined : existing;
  const scopes = mergeScopes(kept ? approvedScopesOf(kept) : [], request.scopes);
  const { scopes: _scopes, approvedScopes: _approved, ...rest } = kept ?? {};
  return {
    ...rest,
    deviceId: request.deviceId,
    publicKey: request.publicKey,
    ...describe(request),
    // The spelling that was approved first stays; a claim that differs in more than case never gets here.
    ...(kept?.platform ? { platform: kept.platform } : {}),
    ...(kept?.deviceFamily ? { deviceFamily: kept.deviceFamily } : {}),
    role: request.role,
    roles: [...new Set([...(kept ? rolesOf(kept) : []), ...rolesOf({ role: request.role, roles: request.roles })])],
    ...(scopes.length > 0 ? { scopes, approvedScopes: scopes } : {}),
    createdAtMs: kept?.createdAtMs ?? now,
    approvedAtMs: now,
  };
}
