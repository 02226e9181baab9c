// Schemas of what Slack sends. Everything but the few fields that are read falls away; odd values count as missing.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

const text = () => z.string().optional().catch(undefined);
const number = () => z.number().optional().catch(undefined);
const listOf = <S extends z.ZodType>(item: S) => z.array(item).catch([]).default([]);

const File = once(() =>
  z.object({
    id: text(),
    name: text(),
    title: text(),
    mimetype: text(),
    subtype: text(),
    size: number(),
    mode: text(),
    url_private: text(),
    url_private_download: text(),
  }),
);
export type SlackFile = Parsed<typeof File>;

const Attachment = once(() =>
  z.object({
    is_share: z.boolean().optional().catch(undefined),
    is_msg_unfurl: z.boolean().optional().catch(undefined),
    author_name: text(),
    author_id: text(),
    text: text(),
    fallback: text(),
    files: listOf(File()),
  }),
);

const Profile = once(() => z.object({ display_name: text(), real_name: text(), name: text() }));

export const Message = once(() =>
  z.object({
    subtype: text(),
    user: text(),
    bot_id: text(),
    username: text(),
    text: text(),
    ts: text(),
    thread_ts: text(),
    parent_user_id: text(),
    edited: z.object({ ts: text() }).optional().catch(undefined),
    user_profile: Profile().optional().catch(undefined),
    bot_profile: Profile().optional().catch(undefined),
    files: listOf(File()),
    attachments: listOf(Attachment()),
  }),
);
export type SlackMessage = Parsed<typeof Message>;

const MessageEvent = once(() =>
  Message().extend({
    type: z.enum(["message", "app_mention"]),
    channel: z.string(),
    channel_type: text(),
    event_ts: text(),
    deleted_ts: text(),
    message: Message().optional().catch(undefined),
    previous_message: Message().optional().catch(undefined),
  }),
);
export type SlackMessageEvent = Parsed<typeof MessageEvent>;

const ReactionEvent = once(() =>
  z.object({
    type: z.enum(["reaction_added", "reaction_removed"]),
    user: z.string(),
    reaction: z.string(),
    item_user: text(),
    item: z.object({ type: z.literal("message"), channel: z.string(), ts: z.string() }),
    event_ts: text(),
  }),
);
export type SlackReactionEvent = Parsed<typeof ReactionEvent>;

const JoinEvent = once(() =>
  z.object({ type: z.literal("member_joined_channel"), user: z.string(), channel: z.string(), event_ts: text() }),
);
export type SlackJoinEvent = Parsed<typeof JoinEvent>;

const RevokedEvent = once(() =>
  z.object({
    type: z.enum(["app_uninstalled", "tokens_revoked"]),
    tokens: z
      .object({ bot: listOf(z.string()) })
      .optional()
      .catch(undefined),
  }),
);
export type SlackRevokedEvent = Parsed<typeof RevokedEvent>;

export const Event = once(() =>
  z.discriminatedUnion("type", [MessageEvent(), ReactionEvent(), JoinEvent(), RevokedEvent()]),
);
export type SlackEvent = Parsed<typeof Event>;

export const Callback = once(() =>
  z.object({
    type: text(),
    challenge: text(),
    team_id: text(),
    event_id: text(),
    authorizations: listOf(
      z.object({ team_id: text(), user_id: text(), is_enterprise_install: z.boolean().optional().catch(undefined) }),
    ),
    event: z.unknown().optional(),
  }),
);
export type SlackCallback = Parsed<typeof Callback>;

export const Command = once(() =>
  z.object({
    command: z.string(),
    text: text(),
    user_id: z.string(),
    user_name: text(),
    channel_id: z.string(),
    channel_name: text(),
    team_id: text(),
    trigger_id: text(),
  }),
);
export type SlackCommand = Parsed<typeof Command>;

export const Action = once(() =>
  z.object({
    type: z.literal("block_actions"),
    user: z.object({ id: z.string(), name: text(), username: text() }),
    team: z.object({ id: text() }).optional().catch(undefined),
    channel: z.object({ id: z.string(), name: text() }),
    message: z.object({ ts: z.string(), thread_ts: text() }),
    actions: z.array(z.object({ type: text(), action_id: z.string(), value: text(), action_ts: text() })).min(1),
  }),
);
export type SlackAction = Parsed<typeof Action>;
