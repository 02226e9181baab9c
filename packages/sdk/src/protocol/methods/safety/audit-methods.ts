// The audit trail: what happened, in whose name, and whether anybody changed what was written of it.
import * as z from "zod";
import { AUDIT_ACTIONS } from "../../../audit.ts";
import { once } from "../../../schema.ts";
import { empty, type MethodSpec } from "../method-spec.ts";

const outcome = () => z.enum(["ok", "denied", "failed"]);

const AuditRecordShape = once(() =>
  z.looseObject({
    seq: z.int(),
    at: z.number(),
    action: z.enum(AUDIT_ACTIONS),
    actor: z.string(),
    target: z.string(),
    outcome: outcome(),
    agentId: z.string().optional(),
    sessionKey: z.string().optional(),
    channel: z.string().optional(),
    traceId: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
    hash: z.string(),
  }),
);

const AuditListParams = once(() =>
  z.strictObject({
    actions: z.array(z.enum(AUDIT_ACTIONS)).optional(),
    outcomes: z.array(outcome()).optional(),
    actor: z.string().optional(),
    agentId: z.string().optional(),
    sessionKey: z.string().optional(),
    channel: z.string().optional(),
    traceId: z.string().optional(),
    /** In the target and the details. */
    search: z.string().max(200).optional(),
    from: z.number().optional(),
    to: z.number().optional(),
    /** Only events before this one; with `after` only those behind it. */
    before: z.int().optional(),
    after: z.int().optional(),
    order: z.enum(["newest", "oldest"]).optional(),
    limit: z.int().min(1).max(1000).optional(),
  }),
);

const Problem = () =>
  z.looseObject({
    kind: z.enum(["changed", "moved", "missing", "lost", "added", "base", "cut", "anchor"]),
    seq: z.int(),
    to: z.int().optional(),
    says: z.string(),
  });

export const AUDIT_METHODS = {
  "audit.list": {
    role: "operator",
    scope: "operator.admin",
    offline: "read",
    says: "What happened, in whose name and with which outcome; the newest first",
    params: AuditListParams,
    result: once(() =>
      z.looseObject({
        records: z.array(AuditRecordShape()),
        /** Whether there are more of these behind the last one. */
        hasMore: z.boolean(),
        /** How many there are of these in all, wherever the page begins. */
        total: z.int(),
        /** Where the trail begins: everything up to this event was let go. */
        base: z.looseObject({ seq: z.int(), hash: z.string() }),
      }),
    ),
  },
  "audit.verify": {
    role: "operator",
    scope: "operator.admin",
    offline: "read",
    says: "Whether every event of the audit trail is as it was written, and none is missing",
    params: empty,
    result: once(() =>
      z.looseObject({
        ok: z.boolean(),
        checked: z.int(),
        from: z.int(),
        to: z.int(),
        /** The hash of the last event. */
        head: z.string(),
        problems: z.array(Problem()),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
