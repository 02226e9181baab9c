// Parses a message as Meta sends it into an event of the gateway. Pure; what is of no interest is dropped with a reason.
import type { ChannelContent, ChannelEvent, ChannelSender, InboundMedia, Quoted } from "@chela/sdk";
import { personId } from "./address.ts";
import { Message, type WireMessage, type WireValue } from "./wire.ts";

export type ParsedMessage =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

export interface MessageContext {
  readonly value: WireValue;
  /** Whether a message is one that people sent to us. */
  isTheirs(messageId: string): boolean;
}

export function parseMessage(raw: unknown, around: MessageContext): ParsedMessage {
  const read = Message().safeParse(raw);
  if (!read.success) return { kind: "dropped", why: "it cannot be read" };
  const message = read.data;
  const sender = senderOf(message.from, around.value);
  if (sender.id === "") return { kind: "dropped", why: "its sender has no number" };
  const content = contentOf(message, around);
  if (typeof content === "string") return { kind: "dropped", why: content };
  const group = message.group_id ? `group:${message.group_id}` : undefined;
  const chat = group ? ({ kind: "group", id: group } as const) : ({ kind: "direct", id: sender.id } as const);
  return {
    kind: "event",
    event: {
      id: message.id,
      messageId: message.id,
      at: millisecondsOf(message.timestamp),
      chat,
      sender,
      replyTarget: { to: chat.id },
      content,
    },
  };
}

function millisecondsOf(timestamp: string): number {
  const at = Number(timestamp) * 1000;
  return Number.isFinite(at) ? at : 0;
}

function senderOf(from: string, { contacts }: WireValue): ChannelSender {
  const name = contacts?.find(({ wa_id }) => wa_id === from)?.profile?.name?.trim();
  return { id: personId(from), ...(name ? { name } : {}) };
}

function contentOf(message: WireMessage, around: MessageContext): ChannelContent | string {
  const { reaction, interactive, context } = message;
  if (reaction) {
    const { message_id: on, emoji = "" } = reaction;
    return { kind: "reaction", emoji, isRemoved: emoji === "", on, onOurs: !around.isTheirs(on) };
  }
  const pressed = interactive?.button_reply;
  if (pressed && context?.id) return { kind: "button", data: pressed.id, on: context.id };
  const text = textOf(message);
  const media = mediaOf(message);
  if (text.trim() === "" && !media) return `a message of the kind "${message.type}" has nothing we can show`;
  const replyTo = quotedOf(message, around);
  return {
    kind: "message",
    text,
    ...(media ? { media: [media] } : {}),
    // There are no mentions over this API.
    mentionsUs: false,
    ...(replyTo ? { replyTo } : {}),
    ...(context?.forwarded || context?.frequently_forwarded ? { forwardedFrom: "somebody on WhatsApp" } : {}),
  };
}

function textOf(message: WireMessage): string {
  const { text, button, interactive, location, contacts } = message;
  if (text) return text.body;
  if (button) return button.text;
  const chosen = interactive?.list_reply ?? interactive?.button_reply;
  if (chosen) return chosen.title;
  if (location) {
    const words = [location.name, location.address, `${location.latitude}, ${location.longitude}`];
    return `[location] ${words.filter(Boolean).join(", ")}`;
  }
  if (contacts) return contacts.map(describeContact).join("\n");
  return (message.image ?? message.video ?? message.document)?.caption ?? "";
}

function describeContact({ name, phones }: NonNullable<WireMessage["contacts"]>[number]): string {
  const words = [name?.formatted_name, ...(phones ?? []).map(({ phone }) => phone)];
  return `[contact] ${words.filter(Boolean).join(", ")}`;
}

function mediaOf({ image, audio, video, document, sticker }: WireMessage): InboundMedia | undefined {
  const found = image ?? audio ?? video ?? document ?? sticker;
  if (!found) return undefined;
  const kind = image
    ? "image"
    : audio
      ? audio.voice
        ? "voice"
        : "audio"
      : video
        ? "video"
        : document
          ? "file"
          : "sticker";
  return {
    kind,
    ref: found.id,
    ...(found.mime_type ? { mimeType: found.mime_type } : {}),
    ...(found.filename ? { name: found.filename } : {}),
  };
}

function quotedOf({ context }: WireMessage, { value }: MessageContext): Quoted | undefined {
  if (!context?.id) return undefined;
  const ours = value.metadata.display_phone_number?.replace(/\D/g, "");
  const sender = senderOf(context.from ?? "", value);
  return { id: context.id, isOurs: ours !== undefined && context.from === ours, ...(sender.id ? { sender } : {}) };
}
