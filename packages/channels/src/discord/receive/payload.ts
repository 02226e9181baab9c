// The parts of Discord's JSON that we read. Whatever else it says is dropped at the border.
import * as z from "zod";
import { once, type Lazy, type Parsed } from "@chela/sdk";

const id = () => z.string().regex(/^\d{1,20}$/);

export const User = once(() =>
  z.object({
    id: id(),
    username: z.string().optional(),
    global_name: z.string().nullish(),
    bot: z.boolean().optional(),
  }),
);
export type User = Parsed<typeof User>;

export const Member = once(() =>
  z.object({
    user: User().optional(),
    nick: z.string().nullish(),
    roles: z.array(id()).catch([]),
  }),
);
export type Member = Parsed<typeof Member>;

const Attachment = once(() =>
  z.object({
    id: id(),
    filename: z.string().catch("file"),
    content_type: z.string().optional().catch(undefined),
    size: z.number().optional().catch(undefined),
    url: z.string(),
  }),
);
export type Attachment = Parsed<typeof Attachment>;

/** What a message says, also when it is quoted or forwarded. */
const body = () => ({
  content: z.string().catch(""),
  attachments: z.array(Attachment()).catch([]),
  sticker_items: z.array(z.object({ name: z.string() })).catch([]),
  embeds: z.array(z.object({ title: z.string().optional(), description: z.string().optional() })).catch([]),
  mentions: z.array(User()).catch([]),
  poll: z
    .object({
      question: z.object({ text: z.string().optional() }),
      answers: z.array(z.object({ poll_media: z.object({ text: z.string().optional() }) })).catch([]),
    })
    .nullish()
    .catch(undefined),
});

const Body = once(() => z.object(body()));
export type Body = Parsed<typeof Body>;

const QuotedMessage = once(() =>
  z.object({ ...body(), id: id(), author: User(), webhook_id: id().optional(), member: Member().optional() }),
);

export const Message = once(() =>
  z.object({
    ...body(),
    id: id(),
    channel_id: id(),
    guild_id: id().optional(),
    type: z.number(),
    timestamp: z.string(),
    edited_timestamp: z.string().nullish(),
    author: User(),
    webhook_id: id().optional(),
    member: Member().optional().catch(undefined),
    mention_roles: z.array(id()).catch([]),
    message_reference: z
      .object({ type: z.number().optional(), message_id: id().optional(), channel_id: id().optional() })
      .nullish()
      .catch(undefined),
    referenced_message: QuotedMessage().nullish().catch(undefined),
    message_snapshots: z.array(z.object({ message: Body() })).catch([]),
    flags: z.number().catch(0),
    nonce: z.union([z.string(), z.number()]).optional().catch(undefined),
    reactions: z.array(z.object({ emoji: Emoji() })).catch([]),
  }),
);
export type Message = Parsed<typeof Message>;

const Emoji = once(() => z.object({ id: id().nullish(), name: z.string().nullish() }));
export type Emoji = Parsed<typeof Emoji>;

export const Reaction = once(() =>
  z.object({
    user_id: id(),
    channel_id: id(),
    message_id: id(),
    guild_id: id().optional(),
    member: Member().optional().catch(undefined),
    emoji: Emoji(),
    message_author_id: id().optional(),
  }),
);
export type Reaction = Parsed<typeof Reaction>;

/** A place where messages stand; a thread is one, too. */
export const Channel = once(() =>
  z.object({
    id: id(),
    type: z.number().optional().catch(undefined),
    guild_id: id().optional(),
    parent_id: id().nullish(),
    name: z.string().nullish(),
    recipients: z.array(User()).optional().catch(undefined),
  }),
);
export type Channel = Parsed<typeof Channel>;

const Role = once(() =>
  z.object({
    id: id(),
    name: z.string().catch(""),
    tags: z.object({ bot_id: id().optional() }).optional().catch(undefined),
  }),
);
export const Roles = once(() => z.array(Role()));

export const Guild = once(() =>
  z.object({
    id: id(),
    name: z.string().optional(),
    channels: z.array(Channel()).catch([]),
    threads: z.array(Channel()).catch([]),
    roles: z.array(Role()).catch([]),
  }),
);
export type Guild = Parsed<typeof Guild>;

interface CommandOption {
  readonly name: string;
  readonly value?: string | number | boolean | undefined;
  readonly options?: readonly CommandOption[] | undefined;
}

const Option: Lazy<z.ZodType<CommandOption>> = once(() =>
  z.object({
    name: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    options: z.array(z.lazy(Option)).optional(),
  }),
);

export const Interaction = once(() =>
  z.object({
    id: id(),
    application_id: id(),
    type: z.number(),
    token: z.string(),
    guild_id: id().optional(),
    channel_id: id().optional(),
    channel: Channel().optional().catch(undefined),
    member: Member().optional(),
    user: User().optional(),
    message: z.object({ id: id() }).optional().catch(undefined),
    data: z
      .object({
        name: z.string().optional(),
        type: z.number().optional(),
        options: z.array(Option()).catch([]),
        custom_id: z.string().optional(),
        values: z.array(z.string()).catch([]),
      })
      .optional(),
  }),
);
export type Interaction = Parsed<typeof Interaction>;
