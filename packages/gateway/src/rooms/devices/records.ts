// The shapes of devices/pending.json and devices/paired.json. Fields we do not know are kept.
import { once, type Parsed } from "@chela/sdk";
import * as z from "zod";

const deviceId = () => z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hexadecimal digits");
const time = () => z.number().nonnegative();
const about = () => ({
  deviceId: deviceId(),
  publicKey: z.string().min(1),
  displayName: z.string().optional(),
  platform: z.string().optional(),
  deviceFamily: z.string().optional(),
  clientId: z.string().optional(),
  clientMode: z.string().optional(),
  role: z.string().optional(),
  roles: z.array(z.string()).optional(),
  scopes: z.array(z.string()).optional(),
  remoteIp: z.string().optional(),
});

const tokenSchema = once(() =>
  z.looseObject({
    token: z.string().min(1),
    role: z.string(),
    scopes: z.array(z.string()),
    createdAtMs: time(),
    rotatedAtMs: time().optional(),
    revokedAtMs: time().optional(),
    lastUsedAtMs: time().optional(),
  }),
);

export const pendingSchema = once(() =>
  z.looseObject({
    requestId: z.string().min(1),
    ...about(),
    /** Of a node: what it offers, so that whoever approves it sees that. */
    caps: z.array(z.string()).optional(),
    commands: z.array(z.string()).optional(),
    permissions: z.record(z.string(), z.boolean()).optional(),
    silent: z.boolean().optional(),
    isRepair: z.boolean().optional(),
    ts: time(),
  }),
);

export const pairedSchema = once(() =>
  z.looseObject({
    ...about(),
    approvedScopes: z.array(z.string()).optional(),
    tokens: z.record(z.string(), tokenSchema()).optional(),
    createdAtMs: time(),
    approvedAtMs: time(),
  }),
);

export type DeviceToken = Parsed<typeof tokenSchema>;
export type PendingRequest = Parsed<typeof pendingSchema>;
export type PairedDevice = Parsed<typeof pairedSchema>;

/** What a connecting device says about itself and asks for. */
export interface PairingRequest {
  readonly deviceId: string;
  /** base64url of the raw key, as the verified proof gives it. */
  readonly publicKey: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly displayName?: string | undefined;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientMode?: string | undefined;
  readonly remoteIp?: string | undefined;
  /** Of a node: what it offers, already checked and bounded. */
  readonly caps?: readonly string[] | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly permissions?: Readonly<Record<string, boolean>> | undefined;
}

export function rolesOf(record: { role?: string | undefined; roles?: string[] | undefined }): string[] {
  return [...new Set([...(record.roles ?? []), ...(record.role ? [record.role] : [])])];
}

/** The scopes a person approved; older files have only `scopes`. */
export function approvedScopesOf(device: PairedDevice): string[] {
  return device.approvedScopes ?? device.scopes ?? [];
}

/** The token of a role. Roles come from outside, so only own keys count. */
export function tokenOf(device: PairedDevice, role: string): DeviceToken | undefined {
  return device.tokens && Object.hasOwn(device.tokens, role) ? device.tokens[role] : undefined;
}
