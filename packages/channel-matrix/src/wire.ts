// The homeserver's JSON, as far as we read it. What is odd in one event must not spoil the others.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

const Content = () => z.record(z.string(), z.unknown());

/** One event of a room, in clear. */
export const RoomEvent = once(() =>
  z.object({
    type: z.string(),
    event_id: z.string(),
    sender: z.string(),
    origin_server_ts: z.number(),
    content: Content(),
    state_key: z.string().optional(),
    redacts: z.string().optional().catch(undefined),
    unsigned: z.looseObject({}).optional().catch(undefined),
  }),
);
export type RoomEvent = Parsed<typeof RoomEvent>;

/** A state event without all that an invitation leaves out. */
export const StateEvent = once(() =>
  z.object({ type: z.string(), sender: z.string(), state_key: z.string(), content: Content() }),
);

const Events = () =>
  z
    .object({ events: z.array(z.unknown()).catch([]) })
    .optional()
    .catch(undefined);

const JoinedRoom = once(() =>
  z.object({
    state: Events(),
    timeline: z
      .object({
        events: z.array(z.unknown()).catch([]),
        limited: z.boolean().optional(),
        prev_batch: z.string().optional(),
      })
      .optional()
      .catch(undefined),
  }),
);
export type JoinedRoom = Parsed<typeof JoinedRoom>;

export const SyncAnswer = once(() =>
  z.object({
    next_batch: z.string(),
    account_data: Events(),
    to_device: Events(),
    device_lists: z
      .object({ changed: z.array(z.string()).optional(), left: z.array(z.string()).optional() })
      .optional()
      .catch(undefined),
    device_one_time_keys_count: z.record(z.string(), z.number()).optional().catch(undefined),
    device_unused_fallback_key_types: z.array(z.string()).optional().catch(undefined),
    rooms: z
      .object({
        join: z.record(z.string(), JoinedRoom()).optional(),
        invite: z.record(z.string(), z.object({ invite_state: Events() })).optional(),
        leave: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  }),
);
export type SyncAnswer = Parsed<typeof SyncAnswer>;

export const MessagesPage = once(() => z.object({ chunk: z.array(z.unknown()), end: z.string().optional() }));
export const SentEvent = once(() => z.object({ event_id: z.string() }));

export function readEvents(raw: readonly unknown[]): RoomEvent[] {
  return raw.flatMap((one) => {
    const read = RoomEvent().safeParse(one);
    return read.success ? [read.data] : [];
  });
}

/** What an event says about another one. */
export const Relation = once(() =>
  z.object({
    rel_type: z.string().optional().catch(undefined),
    event_id: z.string().optional().catch(undefined),
    key: z.string().optional().catch(undefined),
    is_falling_back: z.boolean().optional().catch(undefined),
    "m.in_reply_to": z.object({ event_id: z.string() }).optional().catch(undefined),
  }),
);
export type Relation = Parsed<typeof Relation>;

export function relationOf(content: Readonly<Record<string, unknown>>): Relation {
  const read = Relation().safeParse(content["m.relates_to"]);
  return read.success ? read.data : {};
}

/** The parts of a message's content that decide something. */
export const MessageContent = once(() =>
  z.object({
    msgtype: z.string().catch("m.text"),
    body: z.string().catch(""),
    formatted_body: z.string().optional().catch(undefined),
    filename: z.string().optional().catch(undefined),
    url: z.string().optional().catch(undefined),
    file: z.unknown().optional(),
    info: z
      .object({
        mimetype: z.string().optional().catch(undefined),
        size: z.number().int().nonnegative().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    "m.mentions": z
      .object({ user_ids: z.array(z.string()).optional().catch(undefined) })
      .optional()
      .catch(undefined),
    "m.new_content": z.record(z.string(), z.unknown()).optional().catch(undefined),
    "org.matrix.msc3245.voice": z.unknown().optional(),
  }),
);
export type MessageContent = Parsed<typeof MessageContent>;
