// Actions on Discord besides sending: reactions, pins, threads, history, people and channels.
import * as z from "zod";
import { GatewayError, type ChannelConnection, type ChatMessage, type DirectoryEntry, type Target } from "@chela/sdk";
import { isSnowflake, requireSnowflake } from "./address.ts";
import type { DiscordApi, Route } from "./api.ts";
import { toChannelError } from "./failure.ts";
import { nameOf, textOf, type Self } from "./receive/inbound-text.ts";
import { senderOf, timeOf, writeEmoji } from "./receive/parse.ts";
import { Channel, Member, Message, User, type Message as MessagePayload } from "./receive/payload.ts";
import type { Places } from "./places.ts";
import type { Sender } from "./send.ts";

type Capabilities = Required<
  Pick<
    ChannelConnection,
    | "unsend"
    | "react"
    | "reactions"
    | "typing"
    | "history"
    | "pin"
    | "pins"
    | "createThread"
    | "threads"
    | "directory"
    | "resolveName"
    | "offerCommands"
    | "probe"
  >
>;

export interface CapabilityParts {
  readonly api: DiscordApi;
  readonly sender: Sender;
  readonly places: Places;
  readonly self: Self;
}

const MOST_MESSAGES = 100;
const DAY_MINUTES = 1_440;
const PUBLIC_THREAD = 11;
const TEXT_OPTION = 3;

export function createCapabilities({ api, sender, places, self }: CapabilityParts): Capabilities {
  const call: Call = (...asked) => orExplain(api.call(...asked));
  const messagesOf = async (target: Target): Promise<Route> =>
    `/channels/${await orExplain(sender.channelOf(target))}/messages`;
  const toChatMessage = (message: MessagePayload): ChatMessage => ({
    id: message.id,
    at: timeOf(message.timestamp),
    sender: senderOf(message.author, message.member, message.webhook_id !== undefined),
    text: textOf(message, self),
    isOurs: message.author.id === self.id,
  });

  return {
    async unsend(target, messageId) {
      await call("DELETE", `${await messagesOf(target)}/${requireSnowflake(messageId)}`);
    },
    async react(target, messageId, emoji, isRemoved) {
      const route =
        `${await messagesOf(target)}/${requireSnowflake(messageId)}/reactions/${emojiRoute(emoji)}/@me` as const;
      await call(isRemoved ? "DELETE" : "PUT", route);
    },
    async reactions(target, messageId) {
      const route = `${await messagesOf(target)}/${requireSnowflake(messageId)}` as const;
      const { reactions } = parse(Message(), await call("GET", route));
      const emojis = reactions.map(({ emoji }) => writeEmoji(emoji)).filter(Boolean);
      return Promise.all(
        emojis.map(async (emoji) => {
          const users = await call("GET", `${route}/reactions/${emojiRoute(emoji)}`, {
            query: { limit: MOST_MESSAGES },
          });
          return { emoji, userIds: parse(z.array(User()), users).map(({ id }) => id) };
        }),
      );
    },
    async typing(target) {
      const route = await messagesOf(target);
      await call("POST", `${route.slice(0, -"messages".length)}typing` as Route);
    },
    async history(target, { limit, before, after }) {
      const answer = await call("GET", await messagesOf(target), {
        query: {
          limit: Math.min(MOST_MESSAGES, Math.max(1, limit)),
          before: before && requireSnowflake(before),
          after: after && requireSnowflake(after),
        },
      });
      return parse(z.array(Message()), answer).map(toChatMessage).reverse();
    },
    async pin(target, messageId, isRemoved) {
      await call(isRemoved ? "DELETE" : "PUT", `${await messagesOf(target)}/pins/${requireSnowflake(messageId)}`);
    },
    async pins(target) {
      const answer = await call("GET", `${await messagesOf(target)}/pins`, { query: { limit: 50 } });
      const pinned = parse(z.object({ items: z.array(z.object({ message: Message() })) }), answer);
      return pinned.items.map(({ message }) => toChatMessage(message));
    },
    async createThread(target, name, onMessageId) {
      const route = await messagesOf(target);
      const body = { name: name.slice(0, 100), auto_archive_duration: DAY_MINUTES };
      const made = onMessageId
        ? await call("POST", `${route}/${requireSnowflake(onMessageId)}/threads`, { body })
        : await call("POST", `${route.slice(0, -"messages".length)}threads` as Route, {
            body: { ...body, type: PUBLIC_THREAD },
          });
      return { to: `channel:${parse(Channel(), made).id}` };
    },
    async threads(target) {
      const channelId = (await messagesOf(target)).split("/")[2] ?? "";
      const { guildId } = await orExplain(places.find(channelId));
      if (!guildId) throw new GatewayError("CHANNEL_UNSUPPORTED", "direct chats have no threads");
      const answer = parse(
        z.object({ threads: z.array(Channel()) }),
        await call("GET", `/guilds/${guildId}/threads/active`),
      );
      return answer.threads
        .filter((thread) => thread.parent_id === channelId)
        .map(({ id, name }) => ({ id, name: name ?? id }));
    },
    directory: createDirectory(call, places, self),
    async resolveName(name, kind) {
      const wanted = name.trim().toLowerCase();
      const found = kind === "user" ? await usersNamed(call, places, wanted) : await roomsNamed(places, wanted);
      const ids = new Set(found);
      return ids.size === 1 ? [...ids][0] : undefined;
    },
    async offerCommands(commands) {
      const { id } = parse(z.object({ id: z.string() }), await call("GET", "/oauth2/applications/@me"));
      await call("PUT", `/applications/${id}/commands`, { body: commands.slice(0, 100).map(describeCommand) });
    },
    async probe() {
      const { id, username } = parse(User(), await call("GET", "/users/@me"));
      return { ok: true, bot: { id, username: username ?? id }, guilds: (await orExplain(places.guilds())).size };
    },
  };
}

type Call = DiscordApi["call"];

function createDirectory(call: Call, places: Places, self: Self): NonNullable<ChannelConnection["directory"]> {
  return {
    self: async () => ({ kind: "user", id: self.id, name: self.name }),
    async users(query, limit) {
      const found = await membersLike(call, places, query, limit);
      const entries = new Map(found.map(({ user, nick }) => [user.id, entryOf(user, nick)]));
      return [...entries.values()].slice(0, limit);
    },
    async groups(query, limit) {
      const wanted = query.trim().replace(/^#/, "").toLowerCase();
      return (await orExplain(places.rooms()))
        .filter(({ name = "" }) => name.toLowerCase().includes(wanted))
        .slice(0, limit)
        .map(({ id, name, guildId }) => ({
          kind: "group" as const,
          id,
          name: [places.guildName(guildId), name && `#${name}`].filter(Boolean).join(" "),
        }));
    },
  };
}

interface FoundMember {
  readonly user: User;
  readonly nick?: string | undefined;
}

/** Discord searches by the beginning of a name, guild by guild. */
async function membersLike(call: Call, places: Places, query: string, limit: number): Promise<FoundMember[]> {
  const wanted = query.trim().replace(/^@/, "");
  if (wanted === "") return [];
  const found = await Promise.all(
    [...(await orExplain(places.guilds())).keys()].map(async (guildId) => {
      const route = `/guilds/${guildId}/members/search` as const;
      const answer = await call("GET", route, { query: { query: wanted, limit: Math.min(100, Math.max(1, limit)) } });
      return parse(z.array(Member()), answer);
    }),
  );
  return found.flat().flatMap(({ user, nick }) => (user ? [{ user, nick: nick ?? undefined }] : []));
}

/** Only the account's own name counts: it is the one thing of the three that nobody else can have at the same time. */
async function usersNamed(call: Call, places: Places, wanted: string): Promise<string[]> {
  const name = wanted.replace(/^@/, "");
  const found = await membersLike(call, places, name, 100);
  return found.filter(({ user }) => user.username?.toLowerCase() === name).map(({ user }) => user.id);
}

/** `general`, `#general`, or `<guild id>/general` where several guilds have one. */
async function roomsNamed(places: Places, wanted: string): Promise<string[]> {
  const [, guild, name = ""] = /^(?:(\d{17,20})\/)?#?(.*)$/.exec(wanted) ?? [];
  return (await orExplain(places.rooms()))
    .filter((place) => guild === undefined || place.guildId === guild)
    .filter((place) => place.name?.toLowerCase() === name)
    .map(({ id }) => id);
}

function entryOf(user: User, nick: string | undefined): DirectoryEntry {
  return {
    kind: "user",
    id: user.id,
    name: nick ?? nameOf(user),
    ...(user.username ? { username: user.username } : {}),
  };
}

function describeCommand({ name, description }: { name: string; description: string }): unknown {
  return {
    name: name.toLowerCase().slice(0, 32),
    description: description.slice(0, 100) || name,
    type: 1,
    options: [{ type: TEXT_OPTION, name: "input", description: "What to say with it", required: false }],
  };
}

/** `👍`, `name:id`, or as it stands in a text: `<:name:id>`. */
function emojiRoute(emoji: string): string {
  const own = /^<?a?:?(\w{2,32}):(\d{1,20})>?$/.exec(emoji.trim());
  if (own && isSnowflake(own[2] ?? "")) return encodeURIComponent(`${own[1]}:${own[2]}`);
  return encodeURIComponent(emoji.trim());
}

async function orExplain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toChannelError(error);
  }
}

function parse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new GatewayError("CHANNEL_REFUSED", "Discord answered something that cannot be read");
}
