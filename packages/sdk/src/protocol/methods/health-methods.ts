// Methods for the health of the gateway, and its log.
import * as z from "zod";
import { once } from "../../schema.ts";
import { ChannelSummary } from "./channel-methods.ts";
import { empty, flag, count, okResult, text, type MethodSpec } from "./method-spec.ts";

const SessionGlance = () =>
  z.looseObject({
    path: z.string(),
    count: z.int(),
    recent: z.array(z.looseObject({ key: z.string(), updatedAt: z.number(), age: z.number() })),
  });

const AgentHealth = () =>
  z.looseObject({
    agentId: z.string(),
    name: text(),
    isDefault: z.boolean(),
    heartbeat: z.looseObject({
      enabled: z.boolean(),
      every: z.string(),
      everyMs: z.number().nullable(),
      prompt: z.string(),
      target: z.string(),
      model: text(),
      ackMaxChars: z.number(),
    }),
    sessions: SessionGlance(),
  });

/** A session at a glance. */
const StatusRow = () =>
  z.looseObject({
    agentId: text(),
    key: z.string(),
    kind: z.string(),
    sessionId: z.string(),
    updatedAt: z.number(),
    /** Milliseconds since it was last used. */
    age: z.number(),
    /** What was chosen for it; missing where it goes by its agent. */
    thinkingLevel: text(),
    fastMode: flag(),
    verboseLevel: text(),
    reasoningLevel: text(),
    elevatedLevel: text(),
    systemSent: z.boolean(),
    abortedLastRun: z.boolean(),
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    totalTokens: z.number().nullable(),
    totalTokensFresh: z.boolean(),
    remainingTokens: z.number().nullable(),
    /** Of the model's window. */
    percentUsed: z.number().nullable(),
    model: z.string().nullable(),
    contextTokens: z.number().nullable(),
    flags: z.array(z.string()),
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
        channels: z.record(z.string(), ChannelSummary()).readonly(),
        channelOrder: z.array(z.string()).readonly(),
        channelLabels: z.record(z.string(), z.string()).readonly(),
        /** Between two heartbeats of the default agent; 0 when it has none. */
        heartbeatSeconds: z.number(),
        defaultAgentId: text(),
        agents: z.array(AgentHealth()).readonly(),
        /** Of the default agent. */
        sessions: SessionGlance().optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const LOG_METHODS = {
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
    result: once(() =>
      z.looseObject({
        file: z.string(),
        cursor: z.int(),
        size: z.int(),
        lines: z.array(z.string()),
        /** Lines were left out before these. */
        truncated: z.boolean(),
        /** The file is another one than the cursor was for. */
        reset: z.boolean(),
      }),
    ),
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
} as const satisfies Record<string, MethodSpec>;

export const STATUS_METHODS = {
  status: {
    role: "operator",
    scope: "operator.read",
    says: "Sessions, models and heartbeats at a glance",
    params: empty,
    result: once(() =>
      z.looseObject({
        runtimeVersion: z.string(),
        heartbeat: z.looseObject({
          defaultAgentId: text(),
          agents: z.array(
            z.looseObject({
              agentId: z.string(),
              enabled: z.boolean(),
              every: z.string(),
              everyMs: z.number().nullable(),
            }),
          ),
        }),
        /** One line for each account. */
        channelSummary: z.array(z.string()),
        deliveries: z.looseObject({ undeliverable: z.int() }),
        /** What the main session's agent has not heard of yet; only for those who administer. */
        queuedSystemEvents: z.array(z.string()),
        /** Paths, models and single sessions are there for those who administer. */
        sessions: z.looseObject({
          paths: z.array(z.string()),
          count: z.int(),
          defaults: z.looseObject({ model: z.string().nullable(), contextTokens: z.number().nullable() }),
          recent: z.array(StatusRow()),
          byAgent: z.array(
            z.looseObject({
              agentId: z.string(),
              path: z.string(),
              count: z.int(),
              recent: z.array(StatusRow()),
            }),
          ),
        }),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
