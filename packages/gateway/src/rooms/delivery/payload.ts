// Payload of an outbox row for a channel: parsed when it is written, and again when a restart reads it.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { once, type OutboundContent, type OutboundMessage, type OutboxItem, type Parsed } from "@chela/sdk";

const Media = () =>
  z.object({
    kind: z.enum(["image", "audio", "voice", "video", "file", "sticker"]),
    path: z.string(),
    mimeType: z.string(),
    name: z.string(),
    bytes: z.number(),
  });

const Poll = () =>
  z.object({
    question: z.string(),
    options: z.array(z.string()),
    maxSelections: z.number().optional(),
    durationSeconds: z.number().optional(),
    isAnonymous: z.boolean().optional(),
  });

const Content = () =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      markdown: z.string(),
      buttons: z.array(z.array(z.object({ text: z.string(), data: z.string() }))).optional(),
    }),
    z.object({
      kind: z.literal("media"),
      media: Media(),
      caption: z.string().optional(),
      asVoice: z.boolean().optional(),
    }),
    z.object({ kind: z.literal("poll"), poll: Poll() }),
  ]);

export const ChannelPayload = once(() =>
  z.object({
    content: Content(),
    threadId: z.string().optional(),
    replyTo: z.string().optional(),
    isSilent: z.boolean().optional(),
    /** The platform's id of a preview of this text that is shown already: it becomes the text. */
    edits: z.string().optional(),
    /** Waits this long before it is sent, as a person would. */
    delayMs: z.number().optional(),
    /** The id of a question: when nobody waits for its answer any more, it is not sent. */
    asks: z.string().optional(),
    /** Of a part of an answer that was sent before the rest: the words it stands for. */
    said: z.string().optional(),
  }),
);
export type ChannelPayload = Parsed<typeof ChannelPayload>;

export function toOutboundMessage(item: OutboxItem, payload: ChannelPayload, mayHaveArrived: boolean): OutboundMessage {
  const { content, threadId, replyTo, isSilent } = payload;
  return {
    key: item.id,
    target: { to: item.to, ...defined({ threadId }) },
    content: content as OutboundContent,
    ...defined({ replyTo }),
    ...(isSilent ? { isSilent } : {}),
    mayHaveArrived,
  };
}
