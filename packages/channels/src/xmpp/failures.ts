// Translates the protocol's words for errors into send failures.
import type { SendFailure, SendOutcome } from "@chela/sdk";

type Failed = Extract<SendOutcome, { kind: "failed" }>;

const REASONS: Readonly<Record<string, SendFailure>> = {
  "service-unavailable": "unreachable",
  "remote-server-not-found": "unreachable",
  "item-not-found": "unreachable",
  "recipient-unavailable": "unreachable",
  gone: "unreachable",
  forbidden: "unreachable",
  "registration-required": "unreachable",
  "subscription-required": "unreachable",
  "jid-malformed": "unreachable",
  "policy-violation": "rate-limited",
  "resource-constraint": "rate-limited",
  "not-authorized": "unauthorised",
  "remote-server-timeout": "unavailable",
  "internal-server-error": "unavailable",
  // In a room: we are not in it at the moment.
  "not-acceptable": "unavailable",
};
const REST_MS = 10_000;

export const failed = (reason: SendFailure, why: string): Failed => ({ kind: "failed", reason, why });

export function failureFor(condition: string): Failed {
  const reason = Object.hasOwn(REASONS, condition) ? (REASONS[condition] ?? "rejected") : "rejected";
  const failure = failed(reason, `the server answered ${condition}`);
  return reason === "rate-limited" ? { ...failure, retryAfterMs: REST_MS, holdsFor: "chat" } : failure;
}
