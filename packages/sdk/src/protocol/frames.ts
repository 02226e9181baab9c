// Frames of the wire protocol: one JSON object per WebSocket text message.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";

export const PROTOCOL_VERSION = 3;
export const DEFAULT_PORT = 18789;
export const MAX_PAYLOAD_BYTES = 26_214_400;
export const MAX_BUFFERED_BYTES = 52_428_800;
export const PREAUTH_PAYLOAD_BYTES = 65_536;
export const TICK_INTERVAL_MS = 30_000;

export const WIRE_CODES = ["NOT_LINKED", "NOT_PAIRED", "AGENT_TIMEOUT", "INVALID_REQUEST", "UNAVAILABLE"] as const;
export type WireCode = (typeof WIRE_CODES)[number];

export const NonEmpty = once(() => z.string().min(1));

export const RequestFrame = once(() =>
  z.strictObject({ type: z.literal("req"), id: NonEmpty(), method: NonEmpty(), params: z.unknown().optional() }),
);
export const ErrorShape = once(() =>
  z.looseObject({
    code: z.enum(WIRE_CODES),
    message: z.string(),
    details: z.unknown().optional(),
    retryable: z.boolean().optional(),
    retryAfterMs: z.int().optional(),
  }),
);
export const ResponseFrame = once(() =>
  z.strictObject({
    type: z.literal("res"),
    id: NonEmpty(),
    ok: z.boolean(),
    payload: z.unknown().optional(),
    error: ErrorShape().optional(),
  }),
);
export const StateVersion = once(() => z.object({ presence: z.int(), health: z.int() }));
export const EventFrame = once(() =>
  z.strictObject({
    type: z.literal("event"),
    event: NonEmpty(),
    payload: z.unknown().optional(),
    seq: z.int().min(0).optional(),
    stateVersion: StateVersion().optional(),
  }),
);

export type RequestFrame = Parsed<typeof RequestFrame>;
export type ResponseFrame = Parsed<typeof ResponseFrame>;
export type EventFrame = Parsed<typeof EventFrame>;
export type ErrorShape = Parsed<typeof ErrorShape>;
export type StateVersion = Parsed<typeof StateVersion>;

/** Every event a client may receive. */
export const EVENTS = [
  "connect.challenge",
  "agent",
  "chat",
  "session.message",
  "session.tool",
  "sessions.changed",
  "presence",
  "tick",
  "shutdown",
  "health",
  "heartbeat",
  "cron",
  "node.pair.requested",
  "node.pair.resolved",
  "node.invoke.request",
  "device.pair.requested",
  "device.pair.resolved",
  "exec.approval.requested",
  "exec.approval.resolved",
  "changed",
  "session.entries",
  "session.moved",
  "log",
  "search.progress",
  "memory.progress",
  "editor.call",
  "editor.cancel",
] as const;
export type EventName = (typeof EVENTS)[number];
