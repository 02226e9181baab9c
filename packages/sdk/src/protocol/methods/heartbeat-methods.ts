// Heartbeats: what the last one did, how they stand, and waking an agent.
import * as z from "zod";
import { once } from "../../schema.ts";
import { HeartbeatEvent } from "../heartbeat-event.ts";
import { empty, type MethodSpec } from "./method-spec.ts";

const AgentHeartbeat = () =>
  z.looseObject({
    agentId: z.string(),
    /** Whether it beats by itself; a wake reaches the agent either way. */
    enabled: z.boolean(),
    every: z.string(),
    everyMs: z.number().nullable(),
    nextAt: z.int().nullable(),
    last: HeartbeatEvent().nullable(),
    /** When a model was last asked. */
    askedAt: z.int().nullable(),
    /** HEARTBEAT.md: not there, without any task in it, or with some. */
    file: z.enum(["missing", "empty", "tasks"]),
    /** Events that wait to be told. */
    pending: z.int(),
    /** After failures: no model is asked before this. */
    restsUntil: z.int().nullable(),
    activeHours: z.looseObject({ start: z.string(), end: z.string(), timezone: z.string() }).nullable(),
    isActiveNow: z.boolean(),
    target: z.string(),
    /** Who is told when something happened: events reach people even where nobody said whom to tell. */
    eventTarget: z.string(),
    model: z.string().optional(),
    lightContext: z.boolean(),
    /** Asks a model at every beat, also when nothing changed. */
    always: z.boolean(),
    /** What of its settings cannot be used, for people. */
    problems: z.array(z.string()),
  });

export const HEARTBEAT_METHODS = {
  "last-heartbeat": {
    role: "operator",
    scope: "operator.read",
    says: "What the last heartbeat did, or null",
    params: empty,
    result: once(() => HeartbeatEvent().nullable()),
  },
  "heartbeat.status": {
    role: "operator",
    scope: "operator.read",
    says: "How the heartbeat of each agent stands: when the next one is, what the last one did, what waits",
    params: empty,
    result: once(() => z.looseObject({ enabled: z.boolean(), agents: z.array(AgentHeartbeat()) })),
  },
  "set-heartbeats": {
    role: "operator",
    scope: "operator.admin",
    says: "Switches all heartbeats on or off until the gateway starts again",
    params: once(() => z.strictObject({ enabled: z.boolean() })),
    result: once(() => z.looseObject({ ok: z.literal(true), enabled: z.boolean() })),
  },
  wake: {
    role: "operator",
    scope: "operator.write",
    says: "Tells an agent of an event: at once, or with its next heartbeat; the default agent unless one is named",
    params: once(() =>
      z.strictObject({ mode: z.enum(["now", "next-heartbeat"]), text: z.string(), agentId: z.string().optional() }),
    ),
    result: once(() => z.looseObject({ ok: z.boolean() })),
  },
} as const satisfies Record<string, MethodSpec>;
