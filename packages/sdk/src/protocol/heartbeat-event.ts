// The `heartbeat` event: what came of one beat, whether or not a model was asked.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";

export const HeartbeatEvent = once(() =>
  z.looseObject({
    ts: z.int(),
    /** "sent": somebody was told something. "ok-token", "ok-empty": there was nothing to tell. */
    status: z.enum(["sent", "ok-empty", "ok-token", "skipped", "failed"]),
    agentId: z.string().optional(),
    /** Why nothing was done or told, as one word; of a failure, the sentence about it. */
    reason: z.string().optional(),
    /** The beginning of what the agent said. */
    preview: z.string().optional(),
    durationMs: z.number().optional(),
    channel: z.string().optional(),
    to: z.string().optional(),
    accountId: z.string().optional(),
    hasMedia: z.boolean().optional(),
    /** How a display may show it; absent where the channel's settings want none. */
    indicatorType: z.enum(["ok", "alert", "error"]).optional(),
  }),
);
export type HeartbeatEvent = Parsed<typeof HeartbeatEvent>;
