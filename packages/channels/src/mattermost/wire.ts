// Schemas of what Mattermost sends, as far as we read it.
import { parseJson } from "@chela/sdk/base";
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

const Text = () => z.string().nullish();

export const Post = once(() =>
  z.object({
    id: z.string().min(1),
    channel_id: z.string().min(1),
    user_id: z.string(),
    root_id: Text(),
    message: z.string().default(""),
    type: Text(),
    create_at: z.number(),
    edit_at: z.number().nullish(),
    delete_at: z.number().nullish(),
    props: z.record(z.string(), z.unknown()).nullish().catch(undefined),
    file_ids: z.array(z.string()).nullish().catch(undefined),
    metadata: z
      .object({
        files: z
          .array(z.object({ id: z.string(), name: Text(), mime_type: Text(), size: z.number().nullish() }))
          .nullish()
          .catch(undefined),
      })
      .nullish()
      .catch(undefined),
  }),
);
export type MattermostPost = Parsed<typeof Post>;

export const Posts = once(() => z.object({ order: z.array(z.string()), posts: z.record(z.string(), z.unknown()) }));

export const User = once(() =>
  z.object({
    id: z.string().min(1),
    username: z.string().default(""),
    nickname: Text(),
    first_name: Text(),
    last_name: Text(),
    is_bot: z.boolean().nullish(),
    delete_at: z.number().nullish(),
  }),
);
export type MattermostUser = Parsed<typeof User>;

export const MattermostChannel = once(() =>
  z.object({
    id: z.string().min(1),
    type: z.string().default(""),
    name: z.string().default(""),
    display_name: z.string().default(""),
    team_id: Text(),
    last_post_at: z.number().nullish(),
    delete_at: z.number().nullish(),
  }),
);
export type ChannelInfo = Parsed<typeof MattermostChannel>;

export const Reaction = once(() =>
  z.object({
    user_id: z.string(),
    post_id: z.string().min(1),
    emoji_name: z.string().min(1),
    create_at: z.number().nullish(),
  }),
);
export type MattermostReaction = Parsed<typeof Reaction>;

/** A frame of the socket: an event with a running number, or the answer to what we said. */
export const Frame = once(() =>
  z.union([
    z.object({
      event: z.string(),
      seq: z.number(),
      data: z.record(z.string(), z.unknown()).nullish(),
      broadcast: z.object({ channel_id: Text() }).nullish().catch(undefined),
    }),
    z.object({ status: z.string(), seq_reply: z.number().optional() }),
  ]),
);
export type SocketFrame = Parsed<typeof Frame>;
export type SocketEvent = Extract<SocketFrame, { event: string }>;

/** Some fields are JSON inside of JSON. */
export function readInner<T>(schema: z.ZodType<T>, text: unknown): T | undefined {
  if (typeof text !== "string") return undefined;
  return schema.safeParse(parseJson(text)).data;
}
