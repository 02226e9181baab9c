// Requests that wait for a person: they expire, merge per device, and cannot pile up.
import type { Clock, Ids } from "@chela/sdk";
import type { RecordFile } from "../../base/files/record-file.ts";
import { rolesOf, type PairingRequest, type PendingRequest } from "./records.ts";
import { mergeScopes, scopesCover } from "./scopes.ts";

const TTL_MS = 5 * 60_000;
const MAX_TOTAL = 50;
const MAX_PER_ADDRESS = 5;
const MAX_SCOPES = 32;

export interface PendingList {
  /** Those still valid, newest first. */
  all(): PendingRequest[];
  get(requestId: string): PendingRequest | undefined;
  /** Remembers the request. `isNew` is false when the device already waits for at least as much. */
  add(request: PairingRequest, isRepair: boolean): { readonly request: PendingRequest; readonly isNew: boolean };
  delete(requestId: string): void;
}

/** After this nobody can approve it any more. */
export function expiryOf({ ts }: PendingRequest): number {
  return ts + TTL_MS;
}

export function createPendingList(file: RecordFile<PendingRequest>, clock: Clock, ids: Ids): PendingList {
  const live = (): Map<string, PendingRequest> => {
    const now = clock.now();
    return new Map([...file.load()].filter(([, request]) => Math.abs(now - request.ts) < TTL_MS));
  };
  return {
    all: () => [...live().values()].toSorted((a, b) => b.ts - a.ts),
    get: (requestId) => live().get(requestId),
    add(request, isRepair) {
      const records = live();
      const waiting = [...records.values()].find((other) => other.deviceId === request.deviceId);
      if (waiting && contains(waiting, request)) return { request: waiting, isNew: false };
      // A request that grew gets a new id: nobody may approve more than what was on the screen.
      if (waiting) records.delete(waiting.requestId);
      const added = toPending(request, waiting, { requestId: ids.uuid(), isRepair, ts: clock.now() });
      makeRoom(records, added.remoteIp);
      records.set(added.requestId, added);
      file.save(records);
      return { request: added, isNew: true };
    },
    delete(requestId) {
      const records = live();
      if (records.delete(requestId)) file.save(records);
    },
  };
}

function contains(waiting: PendingRequest, request: PairingRequest): boolean {
  return (
    waiting.publicKey === request.publicKey &&
    waiting.platform === clip(request.platform) &&
    waiting.deviceFamily === clip(request.deviceFamily) &&
    rolesOf(waiting).includes(request.role) &&
    offersAll(waiting, request) &&
    scopesCover(request.role, waiting.scopes ?? [], request.scopes)
  );
}

/** A node that offers something else than what is on the screen asks anew. */
function offersAll(waiting: PendingRequest, { caps = [], commands = [], permissions = {} }: PairingRequest): boolean {
  return (
    caps.every((cap) => waiting.caps?.includes(cap)) &&
    commands.every((command) => waiting.commands?.includes(command)) &&
    Object.keys(permissions).every((name) => !permissions[name] || waiting.permissions?.[name] === true)
  );
}

function toPending(
  request: PairingRequest,
  waiting: PendingRequest | undefined,
  made: { readonly requestId: string; readonly isRepair: boolean; readonly ts: number },
): PendingRequest {
  const scopes = boundScopes(mergeScopes(request.scopes, waiting?.scopes ?? []));
  const roles = [...new Set([...(waiting ? rolesOf(waiting) : []), request.role])];
  return {
    requestId: made.requestId,
    deviceId: request.deviceId,
    publicKey: request.publicKey,
    ...describe(request),
    role: request.role,
    roles,
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(waiting ? offered(waiting) : {}),
    ...offered(request),
    silent: false,
    isRepair: made.isRepair,
    ts: made.ts,
  };
}

function offered({ caps, commands, permissions }: Pick<PairingRequest, "caps" | "commands" | "permissions">) {
  return {
    ...(caps ? { caps: [...caps] } : {}),
    ...(commands ? { commands: [...commands] } : {}),
    ...(permissions ? { permissions: { ...permissions } } : {}),
  };
}

/** The optional facts of a request, cut to a sane length: they come from strangers and land on disk. */
export function describe(
  request: PairingRequest,
): Partial<Pick<PairingRequest, "displayName" | "platform" | "deviceFamily" | "clientId" | "clientMode" | "remoteIp">> {
  const { displayName, platform, deviceFamily, clientId, clientMode, remoteIp } = request;
  const facts = { displayName, platform, deviceFamily, clientId, clientMode, remoteIp };
  return Object.fromEntries(
    Object.entries(facts)
      .map(([name, value]) => [name, clip(value)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function clip(text: string | undefined): string | undefined {
  return text?.slice(0, 200);
}

export function boundScopes(scopes: readonly string[]): string[] {
  return mergeScopes(
    scopes.slice(0, MAX_SCOPES).map((scope) => scope.slice(0, 100)),
    [],
  );
}

/** The newcomer always fits: the oldest request of the address that has the most makes room. */
function makeRoom(records: Map<string, PendingRequest>, remoteIp: string | undefined): void {
  const groups = Map.groupBy(records.values(), (request) => request.remoteIp);
  const own = groups.get(remoteIp) ?? [];
  if (own.length >= MAX_PER_ADDRESS) dropOldest(records, own);
  else if (records.size >= MAX_TOTAL) {
    dropOldest(
      records,
      [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most)),
    );
  }
}

function dropOldest(records: Map<string, PendingRequest>, group: readonly PendingRequest[]): void {
  const oldest = group.toSorted((a, b) => a.ts - b.ts)[0];
  if (oldest) records.delete(oldest.requestId);
}
