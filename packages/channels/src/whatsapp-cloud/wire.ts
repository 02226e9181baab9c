// Schemas of what Meta sends, as far as it matters. Unknown fields and kinds are let through and left alone.
import { parseJson } from "@chela/sdk/base";
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

const Media = () =>
  z.object({
    id: z.string(),
    mime_type: z.string().optional(),
    caption: z.string().optional(),
    filename: z.string().optional(),
    voice: z.boolean().optional(),
  });

export const Message = once(() =>
  z.object({
    from: z.string(),
    id: z.string().min(1),
    timestamp: z.string(),
    type: z.string(),
    group_id: z.string().optional(),
    context: z
      .object({
        from: z.string().optional(),
        id: z.string().optional(),
        forwarded: z.boolean().optional(),
        frequently_forwarded: z.boolean().optional(),
      })
      .optional(),
    text: z.object({ body: z.string() }).optional(),
    image: Media().optional(),
    audio: Media().optional(),
    video: Media().optional(),
    document: Media().optional(),
    sticker: Media().optional(),
    location: z
      .object({
        latitude: z.number(),
        longitude: z.number(),
        name: z.string().optional(),
        address: z.string().optional(),
      })
      .optional(),
    contacts: z
      .array(
        z.object({
          name: z.object({ formatted_name: z.string().optional() }).optional(),
          phones: z.array(z.object({ phone: z.string().optional() })).optional(),
        }),
      )
      .optional(),
    button: z.object({ text: z.string() }).optional(),
    interactive: z
      .object({
        button_reply: z.object({ id: z.string(), title: z.string() }).optional(),
        list_reply: z.object({ id: z.string(), title: z.string() }).optional(),
      })
      .optional(),
    reaction: z.object({ message_id: z.string(), emoji: z.string().optional() }).optional(),
  }),
);
export type WireMessage = Parsed<typeof Message>;

const Status = () =>
  z.object({
    id: z.string(),
    status: z.string(),
    errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
  });

const Value = once(() =>
  z.object({
    metadata: z.object({ display_phone_number: z.string().optional(), phone_number_id: z.string() }),
    contacts: z
      .array(z.object({ wa_id: z.string().optional(), profile: z.object({ name: z.string().optional() }).optional() }))
      .optional(),
    /** Each is looked at by itself: one we cannot read must not hold up the others. */
    messages: z.array(z.unknown()).optional(),
    statuses: z.array(z.unknown()).optional(),
  }),
);
export type WireValue = Parsed<typeof Value>;

const Notification = once(() =>
  z.object({
    object: z.literal("whatsapp_business_account"),
    entry: z.array(z.object({ changes: z.array(z.object({ field: z.string(), value: z.unknown() })) })),
  }),
);

/** The parts of a notification that are about messages; undefined when it is none of WhatsApp's. */
export function readNotification(body: Uint8Array): readonly WireValue[] | undefined {
  const read = Notification().safeParse(parseBody(body));
  if (!read.success) return undefined;
  const changes = read.data.entry.flatMap((entry) => entry.changes);
  return changes
    .filter(({ field }) => field === "messages")
    .map(({ value }) => Value().safeParse(value))
    .flatMap((value) => (value.success ? [value.data] : []));
}

export function readStatus(status: unknown): z.output<ReturnType<typeof Status>> | undefined {
  return Status().safeParse(status).data;
}

function parseBody(body: Uint8Array): unknown {
  return parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
}
