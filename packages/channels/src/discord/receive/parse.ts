// Messages, edits and reactions of Discord as events of the gateway. Pure: what has to be looked up is handed in.
import type { Chat, ChannelEvent, ChannelSender, InboundMedia, MediaKind, Quoted } from "@chela/sdk";
import { mentions, nameOf, textOf, type Self } from "./inbound-text.ts";
import { writeMediaRef } from "../media-ref.ts";
import type { Attachment, Emoji, Member, Message, Reaction, User } from "./payload.ts";
import { replyTargetOf } from "../place.ts";

export interface MessageContext {
  readonly self: Self;
  readonly chat: Chat;
  /** The role Discord made for us in this guild: naming it names us. */
  readonly ownRole?: string;
}

export type ParsedEvent =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

/** Plain messages and answers; all others are announcements of Discord itself. */
const SPOKEN: ReadonlySet<number> = new Set([0, 19]);
const FORWARD = 1;
const VOICE_FLAG = 1 << 13;

export function parseMessage(message: Message, around: MessageContext): ParsedEvent {
  const why = whyNotSpoken(message, around.self);
  if (why !== undefined) return { kind: "dropped", why };
  const forwarded = message.message_reference?.type === FORWARD ? message.message_snapshots[0]?.message : undefined;
  const text = [textOf(message, around.self), forwarded ? textOf(forwarded, around.self) : ""]
    .filter(Boolean)
    .join("\n");
  const media = [...message.attachments, ...(forwarded?.attachments ?? [])].map((one) => mediaOf(one, message));
  if (text === "" && media.length === 0) return { kind: "dropped", why: "it says nothing" };
  const replyTo = forwarded ? undefined : quotedIn(message, around.self);
  return {
    kind: "event",
    event: {
      ...eventFrom(message, around),
      id: message.id,
      content: {
        kind: "message",
        text,
        mentionsUs: namesUs(message, around),
        ...(media.length > 0 ? { media } : {}),
        ...(replyTo ? { replyTo } : {}),
        ...(forwarded ? { forwardedFrom: `channel:${message.message_reference?.channel_id ?? "unknown"}` } : {}),
      },
    },
  };
}

/** Discord tells of an update also when it only adds a preview or a pin: `before` is what the message said so far. */
export function parseEdit(message: Message, around: MessageContext, before: string | undefined): ParsedEvent {
  const why = whyNotSpoken(message, around.self);
  if (why !== undefined) return { kind: "dropped", why };
  if (!message.edited_timestamp) return { kind: "dropped", why: "it was not edited" };
  if (message.content === before) return { kind: "dropped", why: "its words are the same" };
  return {
    kind: "event",
    event: {
      ...eventFrom(message, around),
      id: `edit:${message.id}:${message.edited_timestamp}`,
      at: timeOf(message.edited_timestamp),
      content: { kind: "edit", of: message.id, text: textOf(message, around.self) },
    },
  };
}

export interface ReactionFacts {
  /** Discord gives reactions no id of their own: the caller knows which event of which session it was. */
  readonly id: string;
  readonly at: number;
  readonly isRemoved: boolean;
  readonly onOurs: boolean;
}

export function parseReaction(reaction: Reaction, around: MessageContext, facts: ReactionFacts): ParsedEvent {
  if (reaction.user_id === around.self.id) return { kind: "dropped", why: "it is our own" };
  const emoji = writeEmoji(reaction.emoji);
  if (emoji === "") return { kind: "dropped", why: "its emoji is gone" };
  return {
    kind: "event",
    event: {
      id: facts.id,
      messageId: reaction.message_id,
      at: facts.at,
      chat: around.chat,
      sender: senderOf(reaction.member?.user ?? { id: reaction.user_id }, reaction.member),
      replyTarget: replyTargetOf(around.chat),
      content: {
        kind: "reaction",
        emoji,
        isRemoved: facts.isRemoved,
        on: reaction.message_id,
        onOurs: facts.onOurs,
      },
    },
  };
}

/** As it can be written back: a character, or `name:id` of a guild's own emoji. */
export function writeEmoji(emoji: Emoji): string {
  if (emoji.id) return `${emoji.name ?? "emoji"}:${emoji.id}`;
  return emoji.name ?? "";
}

export function senderOf(user: User, member?: Member, isWebhook = false): ChannelSender {
  return {
    id: user.id,
    name: member?.nick ?? nameOf(user),
    ...(user.username ? { username: user.username } : {}),
    ...(user.bot || isWebhook ? { isBot: true } : {}),
    ...(member ? { roles: member.roles } : {}),
  };
}

export function timeOf(written: string): number {
  const at = Date.parse(written);
  return Number.isNaN(at) ? 0 : at;
}

function whyNotSpoken(message: Message, self: Self): string | undefined {
  if (message.author.id === self.id) return "it is our own";
  return SPOKEN.has(message.type) ? undefined : "it is an announcement of Discord";
}

function eventFrom(message: Message, { chat }: MessageContext): Omit<ChannelEvent, "id" | "content"> {
  return {
    messageId: message.id,
    at: timeOf(message.timestamp),
    chat,
    sender: senderOf(message.author, message.member, message.webhook_id !== undefined),
    replyTarget: replyTargetOf(chat),
  };
}

function namesUs(message: Message, { self, ownRole }: MessageContext): boolean {
  return mentions(message.content, self.id) || (ownRole !== undefined && message.mention_roles.includes(ownRole));
}

function quotedIn(message: Message, self: Self): Quoted | undefined {
  const id = message.message_reference?.message_id;
  if (id === undefined) return undefined;
  const quoted = message.referenced_message;
  if (!quoted) return { id, isOurs: false };
  return {
    id,
    isOurs: quoted.author.id === self.id,
    sender: senderOf(quoted.author, quoted.member, quoted.webhook_id !== undefined),
    text: textOf(quoted, self),
  };
}

function mediaOf(attachment: Attachment, message: Message): InboundMedia {
  return {
    kind: kindOf(attachment, message),
    ref: writeMediaRef({
      channelId: message.channel_id,
      messageId: message.id,
      attachmentId: attachment.id,
      url: attachment.url,
    }),
    name: attachment.filename,
    ...(attachment.content_type ? { mimeType: attachment.content_type } : {}),
    ...(attachment.size === undefined ? {} : { bytes: attachment.size }),
  };
}

function kindOf({ content_type: type = "" }: Attachment, message: Message): MediaKind {
  if ((message.flags & VOICE_FLAG) !== 0) return "voice";
  const [family] = type.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}
