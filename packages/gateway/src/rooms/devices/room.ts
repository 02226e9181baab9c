// The devices room owns who has a key to this gateway: device proofs, pairing requests, paired devices and their tokens,
// in devices/pending.json and devices/paired.json. It also holds this machine's own device identity for clients.
import { join } from "node:path";
import type { Clock, Ids, Logger } from "@chela/sdk";
import type { DeviceChange } from "./changes.ts";
import { createPairing, type Pairing } from "./pairing.ts";
import { createPendingList, expiryOf } from "./pending.ts";
import type { Believed } from "../../base/files/believed.ts";
import { believedDevices } from "./believed-devices.ts";
import { createRecordFile } from "../../base/files/record-file.ts";
import {
  approvedScopesOf,
  pairedSchema,
  pendingSchema,
  rolesOf,
  type PairedDevice,
  type PendingRequest,
} from "./records.ts";
import { scopesCover } from "./scopes.ts";

export { decidePairing } from "./decide-pairing.ts";
export {
  buildPayload,
  deviceIdOf,
  encodePublicKey,
  parsePublicKey,
  verifyDeviceProof,
  type DeviceProof,
  type ProofToVerify,
} from "./identity.ts";
export { createDeviceAuthStore, loadOwnIdentity, type IdentityPlace } from "./own-identity.ts";
export { createBootstrapCodes } from "./bootstrap-file.ts";
export type { DeviceChange } from "./changes.ts";
export type { Admission } from "./pairing.ts";
export type { PairedDevice, PairingRequest } from "./records.ts";
export { scopesCover } from "./scopes.ts";

const SHOWN = [
  "deviceId",
  "publicKey",
  "displayName",
  "platform",
  "deviceFamily",
  "clientId",
  "clientMode",
  "role",
  "roles",
  "scopes",
  "remoteIp",
  "createdAtMs",
  "approvedAtMs",
] as const;

/** A paired device as others may see it: no secrets, and nothing a foreign file may have added. */
export interface DeviceView extends Pick<PairedDevice, (typeof SHOWN)[number]> {
  readonly tokens: readonly TokenView[];
}

interface TokenView {
  readonly role: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly rotatedAtMs?: number;
  readonly revokedAtMs?: number;
  readonly lastUsedAtMs?: number;
}

export type RequestView = PendingRequest & {
  readonly expiresAtMs: number;
  /** What it asks for beyond what it was approved for: all of it, for a device nobody knows. */
  readonly adds: { readonly roles: string[]; readonly scopes: string[] };
};

export interface Devices extends Omit<Pairing, "pending" | "paired"> {
  list(): { pending: RequestView[]; paired: DeviceView[] };
  /** Called after a change is on disk. The returned function ends it. */
  onChange(listener: (change: DeviceChange) => void): () => void;
}

export interface DevicesOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** What of the paired devices may be believed. */
  readonly believed: Pick<Believed, "sift" | "remember">;
}

/** Touches no file until the first question. */
export function createDevices({ stateDir, clock, ids, log, believed }: DevicesOptions): Devices {
  const listeners = new Set<(change: DeviceChange) => void>();
  const pendingFile = createRecordFile({
    path: join(stateDir, "devices", "pending.json"),
    schema: pendingSchema,
    idOf: (request) => request.requestId,
    clock,
    log,
  });
  const pairedPath = join(stateDir, "devices", "paired.json");
  const written = createRecordFile({
    path: pairedPath,
    legacyPath: join(stateDir, "credentials", "paired.json"),
    schema: pairedSchema,
    idOf: (device) => device.deviceId,
    clock,
    log,
  });
  const pairedFile = believedDevices({ file: written, path: pairedPath, believed, log });
  const viewRequest = (request: PendingRequest): RequestView => ({
    ...request,
    expiresAtMs: expiryOf(request),
    adds: addsOf(request, pairedFile.load().get(request.deviceId)),
  });
  const { pending, paired, ...pairing } = createPairing({
    paired: pairedFile,
    pending: createPendingList(pendingFile, clock, ids),
    clock,
    ids,
    log,
    emit: (change) => {
      log.info("Device change", factsOf(change));
      const told = change.kind === "requested" ? { ...change, request: viewRequest(change.request) } : change;
      for (const listener of listeners) listener(told);
    },
  });
  return {
    ...pairing,
    list: () => ({
      pending: pending().map(viewRequest),
      paired: paired().map(viewDevice),
    }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** For the log: ids and roles only, since names and platforms are whatever a stranger wrote. */
function factsOf(change: DeviceChange): Record<string, unknown> {
  if (change.kind !== "requested") return { ...change };
  const { requestId, deviceId, role } = change.request;
  return { kind: change.kind, requestId, deviceId, role };
}

function addsOf(request: PendingRequest, device: PairedDevice | undefined): RequestView["adds"] {
  const isKnown = device !== undefined && device.publicKey === request.publicKey;
  const roles = isKnown ? rolesOf(device) : [];
  const approved = isKnown ? approvedScopesOf(device) : [];
  const asked = rolesOf(request);
  return {
    roles: asked.filter((role) => !roles.includes(role)),
    scopes: (request.scopes ?? []).filter((scope) => !scopesCover(request.role ?? "operator", approved, [scope])),
  };
}

/** Leaves out what only the gateway may know: show devices to others only through this. */
export function viewDevice(device: PairedDevice): DeviceView {
  const shown = Object.fromEntries(
    SHOWN.filter((field) => device[field] !== undefined).map((field) => [field, device[field]]),
  ) as Pick<PairedDevice, (typeof SHOWN)[number]>;
  const views = Object.values(device.tokens ?? {}).map(
    ({ role, scopes, createdAtMs, rotatedAtMs, revokedAtMs, lastUsedAtMs }) => ({
      role,
      scopes,
      createdAtMs,
      ...(rotatedAtMs !== undefined ? { rotatedAtMs } : {}),
      ...(revokedAtMs !== undefined ? { revokedAtMs } : {}),
      ...(lastUsedAtMs !== undefined ? { lastUsedAtMs } : {}),
    }),
  );
  return { ...shown, tokens: views.toSorted((a, b) => (a.role < b.role ? -1 : 1)) };
}
