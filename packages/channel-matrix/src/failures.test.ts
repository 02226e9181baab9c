// What each refusal of a homeserver means for a delivery.
import { expect, it } from "vitest";
import { toSendFailure } from "./failures.ts";

const refused = (status: number, code: string, more: object = {}) =>
  ({ kind: "refused", status, code, why: code, ...more }) as const;

it.each([
  [
    refused(429, "M_LIMIT_EXCEEDED", { retryAfterMs: 1234 }),
    { reason: "rate-limited", retryAfterMs: 1234, holdsFor: "account" },
  ],
  [refused(429, "M_UNKNOWN"), { reason: "rate-limited", retryAfterMs: 5000 }],
  [refused(403, "M_FORBIDDEN"), { reason: "unreachable" }],
  [refused(404, "M_NOT_FOUND"), { reason: "unreachable" }],
  [refused(401, "M_UNKNOWN_TOKEN"), { reason: "unauthorised" }],
  [refused(413, "M_TOO_LARGE"), { reason: "rejected" }],
  [refused(400, "M_BAD_JSON"), { reason: "rejected" }],
  [refused(502, "M_UNKNOWN"), { reason: "unavailable" }],
  [{ kind: "unreachable", why: "x", mayHaveArrived: false }, { reason: "unavailable" }],
  [{ kind: "unreachable", why: "x", mayHaveArrived: true }, { reason: "uncertain" }],
] as const)("%j means %j", (result, expected) => expect(toSendFailure(result)).toMatchObject(expected));
