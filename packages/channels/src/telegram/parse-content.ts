// Parses a message: its text, what is attached, whom it names and what it answers.
import { defined } from "@chela/sdk/base";
import type { ChannelContent, InboundMedia, MediaKind, Quoted } from "@chela/sdk";
import { nameOf, senderOf, type Us } from "./parse-origin.ts";
import type { TelegramEntity, TelegramFile, TelegramMessage, TelegramUser } from "./update-schema.ts";

/** Undefined when there is nothing in it that somebody said or did. */
export function readContent(message: TelegramMessage, us: Us): ChannelContent | undefined {
  const notice = readNotice(message, us);
  if (notice) return { kind: "notice", text: notice };
  const forwardedFrom = forwarderOf(message);
  // A command that somebody else wrote is passed on, and not given.
  const command = forwardedFrom === undefined ? readCommand(message, us) : undefined;
  if (command !== undefined) return { kind: "command", text: command };
  const text = [withLinks(message), ...spoken(message)].filter(Boolean).join("\n");
  const media = mediaOf(message);
  if (text === "" && media.length === 0) return undefined;
  const replyTo = quotedOf(message, us);
  return {
    kind: "message",
    text,
    mentionsUs: entitiesOf(message).some((entity) => namesUs(message, entity, us)),
    ...(media.length > 0 ? { media } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(forwardedFrom ? { forwardedFrom } : {}),
    ...(message.media_group_id ? { albumId: message.media_group_id } : {}),
  };
}

const textOf = ({ text, caption }: TelegramMessage): string => text ?? caption ?? "";
const entitiesOf = (message: TelegramMessage): readonly TelegramEntity[] =>
  message.entities ?? message.caption_entities ?? [];
const wordsOf = (message: TelegramMessage, { offset, length }: TelegramEntity): string =>
  textOf(message).slice(offset, offset + length);

/** The text, with addresses that lie behind words written after them. */
export function withLinks(message: TelegramMessage): string {
  const links = entitiesOf(message)
    .filter(({ type, url }) => type === "text_link" && url !== undefined)
    .sort((a, b) => b.offset - a.offset);
  let text = textOf(message);
  for (const { offset, length, url } of links) {
    const end = offset + length;
    text = `${text.slice(0, end)} (${url})${text.slice(end)}`;
  }
  return text;
}

function namesUs(message: TelegramMessage, entity: TelegramEntity, us: Us): boolean {
  if (entity.type === "text_mention") return entity.user?.id === us.id;
  const words = wordsOf(message, entity).toLowerCase();
  const ourName = `@${us.username.toLowerCase()}`;
  if (entity.type === "mention") return words === ourName;
  return entity.type === "bot_command" && words.endsWith(ourName);
}

/** In a group a command without a name is meant for whichever bot knows it: it is an ordinary message to us. */
function readCommand(message: TelegramMessage, us: Us): string | undefined {
  const [first] = message.entities ?? [];
  if (message.text === undefined || first?.type !== "bot_command" || first.offset !== 0) return undefined;
  const [name = "", addressee] = wordsOf(message, first).split("@", 2);
  const isForUs =
    addressee === undefined ? message.chat.type === "private" : addressee.toLowerCase() === us.username.toLowerCase();
  return isForUs ? `${name}${message.text.slice(first.length)}` : undefined;
}

function readNotice({ new_chat_members, left_chat_member, migrate_to_chat_id }: TelegramMessage, us: Us): string {
  const shown = (user: TelegramUser): string => (user.id === us.id ? "This bot" : nameOf(user) || `User ${user.id}`);
  if (migrate_to_chat_id !== undefined) return `This group became a supergroup. Its id is now ${migrate_to_chat_id}.`;
  if (new_chat_members?.length) return `${new_chat_members.map(shown).join(", ")} joined the group.`;
  return left_chat_member ? `${shown(left_chat_member)} left the group.` : "";
}

/** Things that are neither text nor files, in words. */
function spoken({ contact, venue, location, poll, dice, sticker }: TelegramMessage): string[] {
  if (contact) return [`Contact: ${[nameOf(contact), contact.phone_number].filter(Boolean).join(", ")}`];
  if (venue) return [`Place: ${[venue.title, venue.address, coordinates(venue.location)].filter(Boolean).join(", ")}`];
  if (location) return [`Location: ${coordinates(location)}`];
  if (poll) return [`Poll: ${poll.question}`, ...poll.options.map(({ text }) => `- ${text}`)];
  if (dice) return [`${dice.emoji} ${dice.value}`];
  return sticker?.emoji ? [sticker.emoji] : [];
}

function coordinates({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `${latitude}, ${longitude}`;
}

function mediaOf(message: TelegramMessage): InboundMedia[] {
  // Sizes of a photo come in growing order. An animation is repeated as a document.
  const found: ReadonlyArray<readonly [MediaKind, TelegramFile | undefined, (string | undefined)?]> = [
    ["image", message.photo?.at(-1), "image/jpeg"],
    ["voice", message.voice, "audio/ogg"],
    ["audio", message.audio],
    ["video", message.video],
    ["video", message.video_note, "video/mp4"],
    ["video", message.animation],
    ["file", message.animation ? undefined : message.document],
    ["sticker", message.sticker, message.sticker && stickerType(message.sticker)],
  ];
  return found.flatMap(([kind, file, usualType]) => (file ? [toMedia(kind, file, usualType)] : []));
}

function toMedia(kind: MediaKind, file: TelegramFile, usualType: string | undefined): InboundMedia {
  const mimeType = file.mime_type ?? usualType;
  return {
    kind,
    ref: file.file_id,
    ...(mimeType ? { mimeType } : {}),
    ...(file.file_name ? { name: file.file_name } : {}),
    ...(file.file_size === undefined ? {} : { bytes: file.file_size }),
  };
}

function stickerType({ is_animated, is_video }: TelegramFile): string {
  if (is_animated) return "application/x-tgsticker";
  return is_video ? "video/webm" : "image/webp";
}

/** Every message of a topic answers, by its form, the note that opened the topic; nobody meant that as an answer. */
function quotedOf({ reply_to_message: replied, quote }: TelegramMessage, us: Us): Quoted | undefined {
  if (!replied || replied.forum_topic_created) return undefined;
  const text = quote?.text ?? replied.text ?? replied.caption;
  return {
    id: String(replied.message_id),
    isOurs: replied.from?.id === us.id,
    ...(replied.from || replied.sender_chat ? { sender: senderOf(replied.from, replied.sender_chat) } : {}),
    ...defined({ text }),
  };
}

/** Whose words they are when they are not the sender's: forwarded, or chosen from what another bot offered. */
function forwarderOf(message: TelegramMessage): string | undefined {
  const { forward_origin: origin, forward_date, forward_from, via_bot: bot } = message;
  if (origin) {
    const from = origin.sender_user ? nameOf(origin.sender_user) : origin.sender_user_name;
    return from || (origin.chat ?? origin.sender_chat)?.title || "somebody";
  }
  // As servers of the Bot API said it before version 7.
  if (forward_date !== undefined || forward_from) return (forward_from && nameOf(forward_from)) || "somebody";
  return bot && (bot.username ? `@${bot.username}` : "another bot");
}
