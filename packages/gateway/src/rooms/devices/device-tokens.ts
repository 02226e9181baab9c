// The tokens of paired devices: made anew, taken back, checked, and asked after with every request.
import type { Clock, Ids } from "@chela/sdk";
import type { DeviceChange } from "./changes.ts";
import type { PairedBook } from "./paired-book.ts";
import { boundScopes } from "./pending.ts";
import { approvedScopesOf, rolesOf, tokenOf } from "./records.ts";
import { firstUncovered, scopesCover } from "./scopes.ts";
import { checkToken, makeToken, withToken, type TokenCheck, type TokenClaim } from "./tokens.ts";

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

interface TokenParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly emit: (change: DeviceChange) => void;
}

export function createDeviceTokens(book: PairedBook, { clock, ids, emit }: TokenParts) {
  return {
    /** A new token for the role. It reaches no further than what was approved, nor than what the caller holds. */
    rotateToken(
      deviceId: string,
      role: string,
      asked: { scopes?: readonly string[]; callerScopes: readonly string[] },
    ): RotateOutcome {
      const device = book.read().get(deviceId);
      const last = device && tokenOf(device, role);
      if (!device || !last) return { kind: "unknown-token" };
      const scopes = boundScopes(asked.scopes ?? last.scopes);
      const missing = firstUncovered(role, approvedScopesOf(device), scopes);
      if (missing !== undefined) return { kind: "beyond-approved", missing };
      const notHeld = beyond(asked.callerScopes, scopes);
      if (notHeld !== undefined) return { kind: "beyond-caller", missing: notHeld };
      const now = clock.now();
      const token = { ...makeToken(role, scopes, { ids, now }), createdAtMs: last.createdAtMs, rotatedAtMs: now };
      book.put(withToken(device, token));
      emit({ kind: "rotated", deviceId, role, cause: "requested" });
      return { kind: "rotated", deviceId, role, token: token.token, scopes: token.scopes, rotatedAtMs: now };
    },

    revokeToken(
      deviceId: string,
      role: string,
    ): { kind: "revoked"; deviceId: string; role: string; revokedAtMs: number } | { kind: "unknown-token" } {
      const device = book.read().get(deviceId);
      const token = device && tokenOf(device, role);
      if (!device || !token) return { kind: "unknown-token" };
      const revokedAtMs = token.revokedAtMs ?? clock.now();
      book.put(withToken(device, { ...token, revokedAtMs }));
      emit({ kind: "revoked", deviceId, role });
      return { kind: "revoked", deviceId, role, revokedAtMs };
    },

    verifyToken(claim: TokenClaim): TokenCheck {
      const check = checkToken(book.read().get(claim.deviceId), claim);
      const token = check.kind === "ok" ? tokenOf(check.device, claim.role) : undefined;
      if (token) book.noteUse(token);
      return check;
    },

    /** Is what a live connection was admitted with still granted? Cheap enough to ask for every request. */
    isGranted(deviceId: string, role: string, scopes: readonly string[]): boolean {
      const device = book.recent().get(deviceId);
      if (!device || !rolesOf(device).includes(role) || !scopesCover(role, approvedScopesOf(device), scopes))
        return false;
      const token = tokenOf(device, role);
      return token !== undefined && token.revokedAtMs === undefined;
    },
  };
}

/** The first scope the approver does not hold; an admin holds all. */
export function beyond(approverScopes: readonly string[], scopes: readonly string[]): string | undefined {
  return approverScopes.includes("operator.admin") ? undefined : firstUncovered("operator", approverScopes, scopes);
}
