// Whether the gateway is well, and its log.
import * as z from "zod";
import { once } from "../../schema.ts";
import { empty, flag, count, type MethodSpec } from "./method-spec.ts";

export const HEALTH_METHODS = {
  health: {
    role: "any",
    scope: "none",
    says: "Whether the gateway is well, with channels, agents and recent sessions",
    params: once(() => z.strictObject({ probe: flag() })),
    result: once(() => z.looseObject({ ok: z.boolean(), ts: z.int(), durationMs: z.number() })),
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
  status: {
    role: "operator",
    scope: "operator.read",
    says: "Sessions, models and heartbeats at a glance",
    params: empty,
    result: once(() => z.looseObject({ sessions: z.looseObject({ count: z.int() }) })),
  },
} as const satisfies Record<string, MethodSpec>;
