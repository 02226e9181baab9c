// The parts of Telegram's updates we read. What decides who speaks and where must be there; the rest may be missing or odd.
import * as z from "zod";
import { once } from "@chela/sdk";

/** Something nobody depends on: what is odd about it must not cost the whole message. */
const maybe = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);
const text = () => maybe(z.string());

const User = once(() =>
  z.object({
    id: z.int(),
    is_bot: maybe(z.boolean()),
    first_name: text(),
    last_name: text(),
    username: text(),
  }),
);

const ChatInfo = once(() =>
  z.object({
    id: z.int(),
    type: z.string().catch(""),
    title: text(),
    first_name: text(),
    last_name: text(),
    username: text(),
    is_forum: maybe(z.boolean()),
  }),
);

const Entity = once(() =>
  z.object({ type: z.string(), offset: z.int(), length: z.int(), url: text(), user: maybe(User()) }),
);

const FileInfo = once(() =>
  z.object({
    file_id: z.string().min(1),
    file_size: maybe(z.int()),
    file_name: text(),
    mime_type: text(),
    /** Of stickers. */
    emoji: text(),
    is_animated: maybe(z.boolean()),
    is_video: maybe(z.boolean()),
  }),
);

const Place = once(() => z.object({ latitude: z.number(), longitude: z.number() }));

const Replied = once(() =>
  z.object({
    message_id: z.int(),
    from: maybe(User()),
    sender_chat: maybe(ChatInfo()),
    text: text(),
    caption: text(),
    forum_topic_created: maybe(z.object({})),
  }),
);

const ForwardOrigin = once(() =>
  z.object({
    sender_user: maybe(User()),
    sender_user_name: text(),
    sender_chat: maybe(ChatInfo()),
    chat: maybe(ChatInfo()),
  }),
);

const mediaShape = () => ({
  photo: maybe(z.array(FileInfo())),
  voice: maybe(FileInfo()),
  audio: maybe(FileInfo()),
  video: maybe(FileInfo()),
  video_note: maybe(FileInfo()),
  animation: maybe(FileInfo()),
  document: maybe(FileInfo()),
  sticker: maybe(FileInfo()),
});

/** What is shown to a reader as words. */
const spokenShape = () => ({
  contact: maybe(z.object({ phone_number: text(), first_name: text(), last_name: text() })),
  location: maybe(Place()),
  venue: maybe(z.object({ location: Place(), title: text(), address: text() })),
  poll: maybe(z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })),
  dice: maybe(z.object({ emoji: z.string(), value: z.int() })),
});

const serviceShape = () => ({
  new_chat_members: maybe(z.array(User())),
  left_chat_member: maybe(User()),
  migrate_to_chat_id: maybe(z.int()),
});

const Message = once(() =>
  z.object({
    message_id: z.int(),
    date: z.int(),
    chat: ChatInfo(),
    from: maybe(User()),
    sender_chat: maybe(ChatInfo()),
    message_thread_id: maybe(z.int()),
    is_topic_message: maybe(z.boolean()),
    text: text(),
    caption: text(),
    entities: maybe(z.array(Entity())),
    caption_entities: maybe(z.array(Entity())),
    media_group_id: text(),
    reply_to_message: maybe(Replied()),
    quote: maybe(z.object({ text: z.string() })),
    forward_origin: maybe(ForwardOrigin()),
    forward_date: maybe(z.int()),
    forward_from: maybe(User()),
    via_bot: maybe(User()),
    ...mediaShape(),
    ...spokenShape(),
    ...serviceShape(),
  }),
);

const Reaction = once(() => z.object({ type: z.string(), emoji: text(), custom_emoji_id: text() }));

const MessageReaction = once(() =>
  z.object({
    chat: ChatInfo(),
    message_id: z.int(),
    user: maybe(User()),
    actor_chat: maybe(ChatInfo()),
    date: z.int(),
    old_reaction: z.array(Reaction()),
    new_reaction: z.array(Reaction()),
  }),
);

const CallbackQuery = once(() => z.object({ id: z.string(), from: User(), message: maybe(Message()), data: text() }));

export const UpdateSchema = once(() =>
  z.object({
    update_id: z.int(),
    message: Message().optional(),
    channel_post: Message().optional(),
    edited_message: Message().optional(),
    edited_channel_post: Message().optional(),
    message_reaction: MessageReaction().optional(),
    callback_query: CallbackQuery().optional(),
  }),
);

/** What we ask Telegram for; it must name every key of the schema above. */
export const WANTED_UPDATES = [
  "message",
  "channel_post",
  "edited_message",
  "edited_channel_post",
  "message_reaction",
  "callback_query",
] as const;

export type TelegramUser = z.output<ReturnType<typeof User>>;
export type TelegramChat = z.output<ReturnType<typeof ChatInfo>>;
export type TelegramMessage = z.output<ReturnType<typeof Message>>;
export type TelegramEntity = z.output<ReturnType<typeof Entity>>;
export type TelegramFile = z.output<ReturnType<typeof FileInfo>>;
export type TelegramReaction = z.output<ReturnType<typeof MessageReaction>>;
export type TelegramCallback = z.output<ReturnType<typeof CallbackQuery>>;
export type TelegramUpdate = z.output<ReturnType<typeof UpdateSchema>>;
