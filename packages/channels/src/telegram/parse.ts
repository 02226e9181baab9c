// Turns an update of Telegram into events. Who speaks and where is read from ids only; names are for showing.
import type { Chat, ChannelContent, ChannelEvent, Target } from "@chela/sdk";
import { readContent, withLinks } from "./parse-content.ts";
import { chatOf, senderOf, type Us } from "./parse-origin.ts";
import {
  UpdateSchema,
  type TelegramCallback,
  type TelegramMessage,
  type TelegramReaction,
  type TelegramUpdate,
} from "./update-schema.ts";

export type ParsedUpdate =
  | { readonly kind: "events"; readonly events: readonly ChannelEvent[]; readonly callbackId?: string }
  | { readonly kind: "dropped"; readonly why: string; readonly callbackId?: string };

const dropped = (why: string): ParsedUpdate => ({ kind: "dropped", why });

/** `now` is when it came: Telegram does not say when a button was pressed. */
export function parseUpdate(raw: unknown, us: Us, now: number): ParsedUpdate {
  const read = UpdateSchema().safeParse(raw);
  if (!read.success) return dropped(`it cannot be read at ${read.error.issues[0]?.path.join(".") || "its top"}`);
  const update = read.data;
  const message = update.message ?? update.channel_post;
  if (message) return parseMessage(update, message, us);
  const edited = update.edited_message ?? update.edited_channel_post;
  if (edited) return parseEdit(update, edited, us);
  if (update.message_reaction) return parseReaction(update, update.message_reaction, us);
  if (update.callback_query) return parseCallback(update, update.callback_query, now);
  return dropped("it is of a kind nobody asked for");
}

function parseMessage(update: TelegramUpdate, message: TelegramMessage, us: Us): ParsedUpdate {
  if (message.from?.id === us.id) return dropped("it is our own");
  const content = readContent(message, us);
  return content
    ? { kind: "events", events: [eventOf(update, message, content)] }
    : dropped("there is nothing to read");
}

function parseEdit(update: TelegramUpdate, message: TelegramMessage, us: Us): ParsedUpdate {
  if (message.from?.id === us.id) return dropped("it is our own");
  const text = withLinks(message);
  // A moving location and a changed preview come as edits, too.
  if (text === "") return dropped("the edit has no text");
  const of = String(message.message_id);
  return { kind: "events", events: [eventOf(update, message, { kind: "edit", of, text })] };
}

function eventOf(update: TelegramUpdate, message: TelegramMessage, content: ChannelContent): ChannelEvent {
  const chat = chatOf(message.chat, message);
  return {
    id: eventId(update, chat.id, message.message_id),
    messageId: String(message.message_id),
    at: message.date * 1000,
    chat,
    sender: senderOf(message.from, message.sender_chat),
    replyTarget: targetOf(chat),
    content,
  };
}

/** After a week without updates Telegram begins to count anew at a random number: that alone would not be enough. */
function eventId(update: TelegramUpdate, chatId: string, messageId: number): string {
  return `${update.update_id}/${chatId}/${messageId}`;
}

function targetOf(chat: Chat): Target {
  return { to: chat.id, ...(chat.threadId === undefined ? {} : { threadId: chat.threadId }) };
}

function parseReaction(update: TelegramUpdate, reaction: TelegramReaction, us: Us): ParsedUpdate {
  if (reaction.user?.id === us.id) return dropped("it is our own");
  const before = new Set(reaction.old_reaction.map(writtenReaction));
  const now = new Set(reaction.new_reaction.map(writtenReaction));
  const changes = [
    ...[...before].filter((emoji) => !now.has(emoji)).map((emoji) => ({ emoji, isRemoved: true })),
    ...[...now].filter((emoji) => !before.has(emoji)).map((emoji) => ({ emoji, isRemoved: false })),
  ];
  if (changes.length === 0) return dropped("no reaction changed");
  const chat = chatOf(reaction.chat);
  const on = String(reaction.message_id);
  const events = changes.map(({ emoji, isRemoved }, index) => ({
    id: `${eventId(update, chat.id, reaction.message_id)}/${index}`,
    messageId: on,
    at: reaction.date * 1000,
    chat,
    sender: senderOf(reaction.user, reaction.actor_chat),
    replyTarget: targetOf(chat),
    content: { kind: "reaction" as const, emoji, isRemoved, on, onOurs: us.wrote(chat.id, on) },
  }));
  return { kind: "events", events };
}

function writtenReaction({ type, emoji, custom_emoji_id }: TelegramReaction["new_reaction"][number]): string {
  if (emoji !== undefined) return emoji;
  return custom_emoji_id === undefined ? type : `custom:${custom_emoji_id}`;
}

/** `from` pressed the button; the message's own sender is us. */
function parseCallback(update: TelegramUpdate, query: TelegramCallback, now: number): ParsedUpdate {
  const { id: callbackId, message, data, from } = query;
  if (!message || data === undefined) return { ...dropped("the button belongs to no message of ours"), callbackId };
  const on = String(message.message_id);
  const event: ChannelEvent = {
    ...eventOf(update, message, { kind: "button", data, on }),
    id: `${eventId(update, String(message.chat.id), message.message_id)}/${callbackId}`,
    at: now,
    sender: senderOf(from, undefined),
  };
  return { kind: "events", events: [event], callbackId };
}
