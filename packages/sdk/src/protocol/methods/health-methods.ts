// Whether the gateway is well, and its log.
import * as z from "zod";
import { once } from "../../schema.ts";
import { empty, flag, count, okResult, type MethodSpec } from "./method-spec.ts";

export const HEALTH_METHODS = {
  health: {
    role: "any",
    scope: "none",
    says: "Whether the gateway is well, with channels, agents and recent sessions",
    params: once(() => z.strictObject({ probe: flag() })),
    result: once(() =>
      z.looseObject({
        ok: z.boolean(),
        ts: z.int(),
        durationMs: z.number(),
        agents: z.array(z.looseObject({ agentId: z.string(), isDefault: z.boolean() })).optional(),
      }),
    ),
  },
  "logs.tail": {
    role: "operator",
    scope: "operator.read",
    says: "The newest lines of the log file, or what follows a cursor",
    params: once(() =>
      z.strictObject({
        cursor: count(),
        limit: z.int().min(1).max(5000).optional(),
        maxBytes: z.int().min(1).max(1_000_000).optional(),
      }),
    ),
    result: once(() => z.looseObject({ file: z.string(), cursor: z.int(), size: z.int(), lines: z.array(z.string()) })),
  },
  "logs.follow": {
    role: "operator",
    scope: "operator.read",
    says: "The newest lines of the log, and from then on those to come, as `log` events, until logs.unfollow",
    params: once(() => z.strictObject({ limit: z.int().min(1).max(5000).optional() })),
    result: once(() => z.looseObject({ file: z.string(), cursor: z.int(), lines: z.array(z.string()) })),
  },
  "logs.unfollow": {
    role: "operator",
    scope: "operator.read",
    says: "Ends logs.follow for this connection",
    params: empty,
    result: okResult,
  },
  status: {
    role: "operator",
    scope: "operator.read",
    says: "Sessions, models and heartbeats at a glance",
    params: empty,
    result: once(() =>
      z.looseObject({
        runtimeVersion: z.string(),
        channelSummary: z.array(z.string()),
        deliveries: z.looseObject({ undeliverable: z.int() }),
        sessions: z.looseObject({
          count: z.int(),
          byAgent: z.array(z.looseObject({ agentId: z.string(), count: z.int() })),
        }),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
