// The book of paired devices: who is in it, what each was approved for, and every change to it.
import { GatewayError, type Clock, type Ids, type Logger } from "@chela/sdk";
import { changesBetween, widenedBetween, type DeviceChange } from "./changes.ts";
import { decidePairing, findGap, isSameKey, type PairingGap, type Reach } from "./decide-pairing.ts";
import { boundScopes, describe, type PendingList } from "./pending.ts";
import type { RecordFile } from "../../base/files/record-file.ts";
import {
  approvedScopesOf,
  rolesOf,
  tokenOf,
  type DeviceToken,
  type PairedDevice,
  type PairingRequest,
  type PendingRequest,
} from "./records.ts";
import { firstUncovered, mergeScopes, scopesCover } from "./scopes.ts";
import {
  checkToken,
  findReusableToken,
  issueToken,
  makeToken,
  withToken,
  type TokenCheck,
  type TokenClaim,
} from "./tokens.ts";

const REMEMBER_USE_EVERY_MS = 60_000;
const LOOK_OUTSIDE_EVERY_MS = 1_000;

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

export type RotateOutcome =
  | {
      readonly kind: "rotated";
      readonly deviceId: string;
      readonly role: string;
      readonly token: string;
      readonly scopes: string[];
      readonly rotatedAtMs: number;
    }
  | { readonly kind: "unknown-token" }
  | { readonly kind: "beyond-approved"; readonly missing: string }
  | { readonly kind: "beyond-caller"; readonly missing: string };

export interface PairingParts {
  readonly paired: RecordFile<PairedDevice>;
  readonly pending: PendingList;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly emit: (change: DeviceChange) => void;
}

export type Pairing = ReturnType<typeof createPairing>;

export function createPairing({ paired, pending, clock, ids, log, emit }: PairingParts) {
  let seen: ReadonlyMap<string, PairedDevice> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let cancelRemember: (() => void) | undefined;
  const used = new Map<DeviceToken, number>();

  /** The book as it is on disk. What another program changed in the file is told like a change of our own. */
  const book = (): ReadonlyMap<string, PairedDevice> => {
    const before = seen;
    seen = paired.load();
    lookedAt = clock.steady();
    if (before && before !== seen) {
      for (const change of changesBetween(before, seen)) emit(change);
      for (const { deviceId } of widenedBetween(before, seen)) emit(approval(deviceId, { why: "file" }));
    }
    return seen;
  };

  const approval = (
    deviceId: string,
    unasked: Extract<DeviceChange, { kind: "resolved" }>["unasked"],
    requestId = ids.uuid(),
  ): DeviceChange => ({
    kind: "resolved",
    requestId,
    deviceId,
    decision: "approved",
    at: clock.now(),
    ...(unasked ? { unasked } : {}),
  });

  const save = (devices: ReadonlyMap<string, PairedDevice>): void => {
    const next = new Map([...devices].map(([id, device]) => [id, withUses(device, used)]));
    paired.save(next);
    seen = next;
    used.clear();
  };

  const put = (device: PairedDevice): void => save(new Map(book()).set(device.deviceId, device));

  const rememberUses = (): void => {
    cancelRemember?.();
    cancelRemember = undefined;
    if (used.size === 0) return;
    try {
      save(book());
    } catch (error) {
      // When a token was last used is a convenience; a full disk must not end the process for it.
      if (!GatewayError.is(error)) throw error;
      log.warn("The time of last use of device tokens could not be written", { reason: error.message });
    }
  };

  const grant = (request: PairingRequest & { roles?: string[] | undefined }): PairedDevice =>
    toPaired(book().get(request.deviceId), request, clock.now());

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
      return decidePairing({ paired: book().get(request.deviceId), request, ...reach }).kind === "needs-approval";
    },

    /** For a client that showed a valid credential and proved its device. */
    admit(asked: PairingRequest, reach: Reach): Admission {
      const request = boundRequest(asked, reach);
      const { scopes } = request;
      const before = book().get(request.deviceId);
      const decision = decidePairing({ paired: before, request, ...reach });
      if (decision.kind === "needs-approval") {
        const added = pending.add(request, before !== undefined);
        if (added.isNew) emit({ kind: "requested", request: added.request });
        return { kind: "needs-approval", reason: decision.reason, ...added };
      }
      const approved = decision.kind === "auto-approve" || !before ? grant(request) : before;
      const { device, token } = ensureToken(approved, request);
      if (device !== before) {
        put(device);
        announceLost(before, device);
      }
      if (decision.kind === "paired") return { kind: "admitted", device, token, scopes };
      const waiting = takeRequest(device.deviceId);
      const unasked = reach.isApproved ? undefined : { why: decision.reason, role: request.role, scopes };
      emit(approval(device.deviceId, unasked, waiting?.requestId));
      return { kind: "admitted", device, token, scopes, approvedFor: decision.reason };
    },

    /** `approverScopes` are the scopes the approving connection really holds. */
    approve(requestId: string, approverScopes: readonly string[]): ApproveOutcome {
      const request = pending.get(requestId);
      if (!request) return { kind: "unknown-request" };
      const before = book().get(request.deviceId);
      const device = grant({ ...request, role: request.role ?? "operator", scopes: request.scopes ?? [] });
      const missing = beyond(approverScopes, approvedScopesOf(device));
      if (missing !== undefined) return { kind: "beyond-approver", missing };
      put(device);
      pending.delete(requestId);
      announceLost(before, device);
      emit(approval(device.deviceId, undefined, requestId));
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
      const devices = new Map(book());
      if (!devices.delete(deviceId)) return { kind: "unknown-device" };
      save(devices);
      emit({ kind: "removed", deviceId });
      return { kind: "removed", deviceId };
    },

    /** A new token for the role. It reaches no further than what was approved, nor than what the caller holds. */
    rotateToken(
      deviceId: string,
      role: string,
      asked: { scopes?: readonly string[]; callerScopes: readonly string[] },
    ): RotateOutcome {
      const device = book().get(deviceId);
      const last = device && tokenOf(device, role);
      if (!device || !last) return { kind: "unknown-token" };
      const scopes = boundScopes(asked.scopes ?? last.scopes);
      const missing = firstUncovered(role, approvedScopesOf(device), scopes);
      if (missing !== undefined) return { kind: "beyond-approved", missing };
      const notHeld = beyond(asked.callerScopes, scopes);
      if (notHeld !== undefined) return { kind: "beyond-caller", missing: notHeld };
      const now = clock.now();
      const token = { ...makeToken(role, scopes, { ids, now }), createdAtMs: last.createdAtMs, rotatedAtMs: now };
      put(withToken(device, token));
      emit({ kind: "rotated", deviceId, role, cause: "requested" });
      return { kind: "rotated", deviceId, role, token: token.token, scopes: token.scopes, rotatedAtMs: now };
    },

    revokeToken(
      deviceId: string,
      role: string,
    ): { kind: "revoked"; deviceId: string; role: string; revokedAtMs: number } | { kind: "unknown-token" } {
      const device = book().get(deviceId);
      const token = device && tokenOf(device, role);
      if (!device || !token) return { kind: "unknown-token" };
      const revokedAtMs = token.revokedAtMs ?? clock.now();
      put(withToken(device, { ...token, revokedAtMs }));
      emit({ kind: "revoked", deviceId, role });
      return { kind: "revoked", deviceId, role, revokedAtMs };
    },

    verifyToken(claim: TokenClaim): TokenCheck {
      const check = checkToken(book().get(claim.deviceId), claim);
      const token = check.kind === "ok" ? tokenOf(check.device, claim.role) : undefined;
      if (token) {
        used.set(token, clock.now());
        cancelRemember ??= clock.after(REMEMBER_USE_EVERY_MS, rememberUses);
      }
      return check;
    },

    /** Is what a live connection was admitted with still granted? Cheap enough to ask for every request. */
    isGranted(deviceId: string, role: string, scopes: readonly string[]): boolean {
      const isFresh = seen && clock.steady() - lookedAt < LOOK_OUTSIDE_EVERY_MS;
      const device = (isFresh && seen ? seen : book()).get(deviceId);
      if (!device || !rolesOf(device).includes(role) || !scopesCover(role, approvedScopesOf(device), scopes))
        return false;
      const token = tokenOf(device, role);
      return token !== undefined && token.revokedAtMs === undefined;
    },

    /** Is it paired, under this key? */
    isKnown(deviceId: string, publicKey: string): boolean {
      const device = book().get(deviceId);
      return device !== undefined && isSameKey(device.publicKey, publicKey);
    },

    find: (deviceId: string): PairedDevice | undefined => book().get(deviceId),
    pending: (): PendingRequest[] => pending.all(),
    paired: (): PairedDevice[] => [...book().values()].toSorted((a, b) => b.approvedAtMs - a.approvedAtMs),
    flush: rememberUses,
  };
}

/** Scopes in a sane number and length, the same for every later step; our own address is not worth noting. */
function boundRequest(asked: PairingRequest, reach: Reach): PairingRequest {
  return { ...asked, scopes: boundScopes(asked.scopes), ...(reach.isLocal ? { remoteIp: undefined } : {}) };
}

/** The first scope the approver does not hold; an admin holds all. */
function beyond(approverScopes: readonly string[], scopes: readonly string[]): string | undefined {
  return approverScopes.includes("operator.admin") ? undefined : firstUncovered("operator", approverScopes, scopes);
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

function withUses(device: PairedDevice, used: ReadonlyMap<DeviceToken, number>): PairedDevice {
  let result = device;
  for (const token of Object.values(device.tokens ?? {})) {
    const lastUsedAtMs = used.get(token);
    if (lastUsedAtMs !== undefined) result = withToken(result, { ...token, lastUsedAtMs });
  }
  return result;
}
