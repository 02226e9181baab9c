// Takes in whatever Mattermost tells: read, look around, parse, receive; one channel after its own order.
import * as z from "zod";
import { type ChannelHost, OneAtATime } from "@chela/sdk";
import { UnderWay, type RecentIds } from "@chela/sdk/channel-kit";
import type { MattermostApi } from "./api.ts";
import type { MattermostAccount } from "./config.ts";
import type { Notes } from "./notes.ts";
import { parseEdit, parsePost, parseReaction, type ParsedPost, type Self, type MessageContext } from "./parse.ts";
import { displayNameOf, type People } from "./people.ts";
import { Post, Reaction, readInner, type MattermostPost, type MattermostReaction, type SocketEvent } from "./wire.ts";

export interface Inbound {
  hear(event: SocketEvent): void;
  /** A post that was fetched. Rejects when it cannot be written down. */
  takePost(post: MattermostPost): Promise<void>;
  idle(): Promise<void>;
}

export interface InboundNeeds {
  readonly account: MattermostAccount;
  readonly host: ChannelHost;
  readonly self: Self;
  readonly api: MattermostApi;
  readonly people: People;
  readonly notes: Notes;
  readonly sent: RecentIds;
  /** Something could not be written down: only a new beginning asks for it again. */
  giveUp(why: string): void;
}

/** What the event says of the channel; where it says nothing, it is looked up. */
interface Told {
  readonly channelType?: string;
  readonly title?: string;
  readonly username?: string;
  readonly mentions: readonly string[];
}

const Mentions = () => z.array(z.string());

export function createInbound(needs: InboundNeeds): Inbound {
  const { account, host, self, people, notes } = needs;
  const order = new OneAtATime();
  const underWay = new UnderWay();

  const lookAround = async (channelId: string, userId: string, told: Told): Promise<MessageContext> => {
    const [channel, user] = await Promise.all([
      told.channelType === undefined ? people.channel(channelId) : undefined,
      people.user(userId),
    ]);
    const channelType = told.channelType ?? channel?.type;
    const title = told.title ?? channel?.display_name;
    const username = user?.username || told.username;
    return {
      self,
      channelType,
      mentions: told.mentions,
      prefixes: account.prefixes,
      isOurPost: (id) => needs.sent.has(id),
      ...(title ? { title } : {}),
      ...(channel?.team_id ? { teamId: channel.team_id } : {}),
      ...(username ? { username } : {}),
      ...(user ? { name: displayNameOf(user), isBot: user.is_bot === true } : {}),
    };
  };
  const receive = async (parsed: ParsedPost): Promise<void> => {
    if (parsed.kind === "event") await host.receive(parsed.event);
    else host.log.debug("mattermost: passed over", { why: parsed.why });
  };
  const takePost = (post: MattermostPost, told: Told): Promise<void> =>
    order.run(post.channel_id, async () => {
      try {
        await receive(parsePost(post, await lookAround(post.channel_id, post.user_id, told)));
        notes.settled(post.channel_id, post.create_at);
      } catch (error) {
        notes.missed(post.channel_id);
        throw error;
      }
    });
  const takeEdit = (post: MattermostPost): Promise<void> =>
    order.run(post.channel_id, async () =>
      receive(parseEdit(post, await lookAround(post.channel_id, post.user_id, { mentions: [] }))),
    );
  const takeReaction = (reaction: MattermostReaction, channelId: string, isRemoved: boolean): Promise<void> =>
    order.run(channelId, async () => {
      const around = await lookAround(channelId, reaction.user_id, { mentions: [] });
      const on = await findPost(reaction.post_id, needs);
      const place = { channelId, rootId: on.rootId, isRemoved, onOurs: on.isOurs, now: host.clock.now() };
      await receive(parseReaction(reaction, place, around));
    });

  const take = ({ event, data, broadcast }: SocketEvent): Promise<void> | undefined => {
    if (event === "posted" || event === "post_edited") {
      const post = readInner(Post(), data?.["post"]);
      if (!post || post.user_id === self.id) return undefined;
      return event === "posted" ? takePost(post, toldBy(data ?? {})) : takeEdit(post);
    }
    if (event !== "reaction_added" && event !== "reaction_removed") return undefined;
    const reaction = readInner(Reaction(), data?.["reaction"]);
    const channelId = broadcast?.channel_id;
    if (!reaction || !channelId || reaction.user_id === self.id) return undefined;
    return takeReaction(reaction, channelId, event === "reaction_removed");
  };
  return {
    hear(event) {
      const taking = take(event)?.catch((error: unknown) => {
        host.log.warn("mattermost: something could not be written down; it is asked for again", {
          error: String(error),
        });
        needs.giveUp("messages cannot be written down");
      });
      if (taking) void underWay.add(taking);
    },
    takePost: (post) => takePost(post, { mentions: [] }),
    idle: () => underWay.idle(),
  };
}

function toldBy(data: Readonly<Record<string, unknown>>): Told {
  const { channel_type: channelType, channel_display_name: title, sender_name: name, mentions } = data;
  return {
    mentions: readInner(Mentions(), mentions) ?? [],
    ...(typeof channelType === "string" ? { channelType } : {}),
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    ...(typeof name === "string" ? { username: name.replace(/^@/, "") } : {}),
  };
}

async function findPost(
  id: string,
  { api, sent, self }: InboundNeeds,
): Promise<{ isOurs: boolean; rootId: string | undefined }> {
  const asked = await api.ask("GET", `/posts/${encodeURIComponent(id)}`, Post());
  if (asked.kind === "failed") return { isOurs: sent.has(id), rootId: undefined };
  return { isOurs: asked.answer.user_id === self.id, rootId: asked.answer.root_id || undefined };
}
