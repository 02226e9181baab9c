// Device tokens: making, reusing, comparing and replacing them. Pure, but for the randomness handed in.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Ids } from "@chela/sdk";
import { approvedScopesOf, rolesOf, tokenOf, type DeviceToken, type PairedDevice } from "./records.ts";
import { cleanScopes, mergeScopes, scopesCover } from "./scopes.ts";

export interface TokenClaim {
  readonly deviceId: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly token: string;
}

export type TokenCheck =
  | { readonly kind: "ok"; readonly device: PairedDevice }
  | { readonly kind: "refused"; readonly reason: "unknown-device" | "unknown-role" | "revoked" | "mismatch" | "scope" };

/** Is this the live token of the device for that role, and does it reach as far as the request? */
export function checkToken(device: PairedDevice | undefined, claim: TokenClaim): TokenCheck {
  if (!device) return { kind: "refused", reason: "unknown-device" };
  const stored = tokenOf(device, claim.role);
  if (!stored || !rolesOf(device).includes(claim.role)) return { kind: "refused", reason: "unknown-role" };
  if (!isSameSecret(stored.token, claim.token)) return { kind: "refused", reason: "mismatch" };
  if (stored.revokedAtMs !== undefined) return { kind: "refused", reason: "revoked" };
  return reaches(device, stored, claim.scopes) ? { kind: "ok", device } : { kind: "refused", reason: "scope" };
}

/** The token that a connection of this role may keep using, if there is one. */
export function findReusableToken(
  device: PairedDevice,
  role: string,
  scopes: readonly string[],
): DeviceToken | undefined {
  const stored = tokenOf(device, role);
  return stored && stored.revokedAtMs === undefined && reaches(device, stored, scopes) ? stored : undefined;
}

/** A token is worth what it says and what the device was approved for, whichever is less. */
function reaches(device: PairedDevice, token: DeviceToken, scopes: readonly string[]): boolean {
  return (
    scopesCover(token.role, token.scopes, scopes) && scopesCover(token.role, approvedScopesOf(device), token.scopes)
  );
}

/** A fresh token for a connecting device: what it asks for, and what its last token still had. */
export function issueToken(
  device: PairedDevice,
  role: string,
  scopes: readonly string[],
  made: { readonly ids: Ids; readonly now: number },
): DeviceToken {
  const last = tokenOf(device, role);
  const approved = approvedScopesOf(device);
  const kept = last && last.revokedAtMs === undefined ? last.scopes : [];
  const still = kept.filter((scope) => scopesCover(role, approved, [scope]));
  return makeToken(role, mergeScopes(still, scopes), made);
}

export function makeToken(
  role: string,
  scopes: readonly string[],
  { ids, now }: { readonly ids: Ids; readonly now: number },
): DeviceToken {
  const token = Buffer.from(ids.secretHex(32), "hex").toString("base64url");
  return { token, role, scopes: cleanScopes(scopes).toSorted(), createdAtMs: now };
}

export function withToken(device: PairedDevice, token: DeviceToken): PairedDevice {
  return { ...device, tokens: { ...device.tokens, [token.role]: token } };
}

/** Digests have one length, so neither content nor length of the secret shows in the time it takes. */
function isSameSecret(first: string, second: string): boolean {
  return timingSafeEqual(digest(first), digest(second));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
