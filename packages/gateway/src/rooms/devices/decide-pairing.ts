// May this device connect as it asks, may it be paired without a question, or must a person say yes? Pure.
import { normalizeMetadata, parsePublicKey } from "./identity.ts";
import { approvedScopesOf, rolesOf, type PairedDevice, type PairingRequest } from "./records.ts";
import { scopesCover } from "./scopes.ts";

export type PairingGap = "not-paired" | "metadata-upgrade" | "role-upgrade" | "scope-upgrade";

/** How the client reaches us; decided at the door from the socket, never from what the client says. */
export interface Reach {
  readonly isLocal: boolean;
  /** It is on this machine and showed the gateway's own secret, or none is asked for: whoever can do that owns the gateway. */
  readonly isOwner: boolean;
  readonly hasBrowserOrigin: boolean;
  /** Control UI or web chat, whose Origin has been checked. */
  readonly isControlUi: boolean;
  /** It came with a one-time code of an administrator, which is the answer of a person. */
  readonly isApproved?: boolean;
}

export interface PairingQuestion extends Reach {
  readonly paired: PairedDevice | undefined;
  readonly request: PairingRequest;
}

export type PairingDecision =
  | { readonly kind: "paired" }
  | { readonly kind: "auto-approve"; readonly reason: PairingGap }
  | { readonly kind: "needs-approval"; readonly reason: PairingGap };

export function decidePairing(question: PairingQuestion): PairingDecision {
  const reason = findGap(question.paired, question.request);
  if (!reason) return { kind: "paired" };
  // The owner would only answer themselves. A device by its own token stays what it is, and pages of others ask.
  const isOwn = question.isLocal && question.isOwner && (!question.hasBrowserOrigin || question.isControlUi);
  // A device that calls itself another kind of machine is looked at by a person in any case.
  const isApproved = question.isApproved === true || (isOwn && reason !== "metadata-upgrade");
  return { kind: isApproved ? "auto-approve" : "needs-approval", reason };
}

/** What stands between the request and the existing pairing; undefined when nothing does. */
export function findGap(paired: PairedDevice | undefined, request: PairingRequest): PairingGap | undefined {
  if (!paired || !isSameKey(paired.publicKey, request.publicKey)) return "not-paired";
  if (differs(paired.platform, request.platform) || differs(paired.deviceFamily, request.deviceFamily)) {
    return "metadata-upgrade";
  }
  if (!rolesOf(paired).includes(request.role)) return "role-upgrade";
  return scopesCover(request.role, approvedScopesOf(paired), request.scopes) ? undefined : "scope-upgrade";
}

function differs(stored: string | undefined, claimed: string | undefined): boolean {
  const pinned = normalizeMetadata(stored);
  return pinned !== "" && pinned !== normalizeMetadata(claimed);
}

export function isSameKey(stored: string, claimed: string): boolean {
  const first = parsePublicKey(stored);
  const second = parsePublicKey(claimed);
  return first !== undefined && second !== undefined && first.equals(second);
}
