// Whether the gateway is well, and its log.
import * as z from "zod";
import { once } from "../../schema.ts";
import { empty, flag, count, okResult, text, type MethodSpec } from "./method-spec.ts";

/** How an account of a channel does. */
const AccountState = () =>
  z.looseObject({
    enabled: z.boolean(),
    configured: z.boolean(),
    linked: z.boolean(),
    running: z.boolean(),
    connected: z.boolean(),
    lastError: text(),
    mode: text(),
    tokenSource: text(),
    botTokenSource: text(),
    probe: z.looseObject({ ok: z.boolean(), error: text() }).optional(),
    lastProbeAt: z.number().optional(),
  });

const RecentSession = () =>
  z.looseObject({
    key: z.string(),
    /** In milliseconds. */
    age: z.number().nullable(),
    totalTokens: z.number().nullable(),
    /** Of the model's context. */
    percentUsed: z.number().nullable(),
  });

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
        agents: z
          .array(
            z.looseObject({
              agentId: z.string(),
              isDefault: z.boolean(),
              sessions: z.looseObject({ count: z.int() }),
            }),
          )
          .optional(),
        channelOrder: z.array(z.string()).readonly().optional(),
        channels: z
          .record(z.string(), z.looseObject({ accounts: z.record(z.string(), AccountState()).optional() }))
          .optional(),
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
          /** Only for those who administer. */
          recent: z.array(RecentSession()),
          byAgent: z.array(z.looseObject({ agentId: z.string(), count: z.int() })),
        }),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
