// Actions in a workspace besides sending: reactions, pins, reading back, looking people up.
import * as z from "zod";
import {
  GatewayError,
  once,
  type ChannelConnection,
  type ChatMessage,
  type DirectoryEntry,
  type Target,
} from "@chela/sdk";
import type { SlackApi } from "./api.ts";
import { emojiOf, slackEmojiName } from "./emoji.ts";
import { errorOf, type ApiFailure } from "./failures.ts";
import { toMrkdwn } from "./format.ts";
import { isOurs, senderOf } from "./receive/parse-message.ts";
import { Channel, displayName, User, type People } from "./people.ts";
import { mentionedIds, readableText } from "./receive/readable.ts";
import type { Places } from "./send.ts";
import { millisecondsOf, type Self } from "./receive/message-context.ts";
import { Message, type SlackMessage } from "./wire.ts";

interface OperationNeeds {
  readonly api: SlackApi;
  readonly self: Self;
  readonly places: Places;
  readonly people: People;
}

type Operations = Required<
  Pick<
    ChannelConnection,
    | "unsend"
    | "react"
    | "reactions"
    | "history"
    | "pin"
    | "pins"
    | "createThread"
    | "directory"
    | "resolveName"
    | "probe"
  >
>;

const Nothing = once(() => z.object({}));
const Messages = once(() => z.object({ messages: z.array(Message()) }));
const Reactions = once(() =>
  z.object({
    message: z
      .object({ reactions: z.array(z.object({ name: z.string(), users: z.array(z.string()) })).optional() })
      .optional(),
  }),
);
const Pins = once(() => z.object({ items: z.array(z.object({ message: Message().optional() })) }));
const MOST_PAGES = 20;
const PAGE = 200;

export function createOperations(needs: OperationNeeds): Operations {
  const { api, self, places } = needs;

  const placeOf = async (target: Target): Promise<string> => {
    const place = await places.find(target.to);
    if (place.kind === "failed") throw errorOf(place.failure);
    return place.answer;
  };
  /** Does something that may be done already. */
  const ensure = async (method: string, args: Record<string, unknown>, done: readonly string[]): Promise<void> => {
    const asked = await api.ask(method, args, Nothing());
    if (asked.kind === "failed" && !isDone(asked.failure, done)) throw errorOf(asked.failure);
  };
  const asChatMessages = async (messages: readonly SlackMessage[]): Promise<ChatMessage[]> => {
    const ids = messages.flatMap(({ user, text }) => [user ?? "", ...mentionedIds(text ?? "")]);
    const names = new Map([...(await needs.people.namesOf(ids)), [self.userId, self.name]]);
    return messages.flatMap((message) => chatMessageOf(message, self, names));
  };

  return {
    async unsend(target, messageId) {
      await ensure("chat.delete", { channel: await placeOf(target), ts: messageId }, ["message_not_found"]);
    },

    async react(target, messageId, emoji, isRemoved) {
      const name = slackEmojiName(emoji);
      if (!name)
        throw new GatewayError("CHANNEL_REFUSED", `Slack has no name we know for the emoji ${emoji}; use :name:`);
      const args = { channel: await placeOf(target), timestamp: messageId, name };
      if (isRemoved) await ensure("reactions.remove", args, ["no_reaction"]);
      else await ensure("reactions.add", args, ["already_reacted"]);
    },

    async reactions(target, messageId) {
      const args = { channel: await placeOf(target), timestamp: messageId, full: true };
      const { message } = await api.get("reactions.get", args, Reactions());
      return (message?.reactions ?? []).map(({ name, users }) => ({ emoji: emojiOf(name), userIds: users }));
    },

    async history(target, { limit, before, after }) {
      const channel = await placeOf(target);
      const thread = target.threadId ? { ts: target.threadId } : {};
      const method = target.threadId ? "conversations.replies" : "conversations.history";
      const range = { ...(before ? { latest: before } : {}), ...(after ? { oldest: after } : {}) };
      const { messages } = await api.get(method, { channel, ...thread, ...range, limit }, Messages());
      return (await asChatMessages(messages)).sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-limit);
    },

    async pin(target, messageId, isRemoved) {
      const args = { channel: await placeOf(target), timestamp: messageId };
      if (isRemoved) await ensure("pins.remove", args, ["no_pin"]);
      else await ensure("pins.add", args, ["already_pinned"]);
    },

    async pins(target) {
      const { items } = await api.get("pins.list", { channel: await placeOf(target) }, Pins());
      return asChatMessages(items.flatMap(({ message }) => (message ? [message] : [])));
    },

    async createThread(target, name, onMessageId) {
      if (onMessageId) return { to: target.to, threadId: onMessageId };
      const args = { channel: await placeOf(target), text: toMrkdwn(name) };
      const { ts } = await api.get("chat.postMessage", args, z.object({ ts: z.string() }));
      return { to: target.to, threadId: ts };
    },

    directory: {
      self: async () => ({ kind: "user", id: self.userId, name: self.name }),
      users: async (query, limit) => matching(await allUsers(api), query).slice(0, limit),
      groups: async (query, limit) => matching(await allGroups(api), query).slice(0, limit),
      async members(groupId, limit) {
        const args = { channel: groupId, limit };
        const { members } = await api.get("conversations.members", args, z.object({ members: z.array(z.string()) }));
        const names = await needs.people.namesOf(members);
        return members.slice(0, limit).map((id) => entryOf("user", id, names.get(id)));
      },
    },

    async resolveName(name, kind) {
      const wanted = name.replace(/^[#@]/, "").toLowerCase();
      if (kind === "user" && wanted.includes("@")) return idByEmail(api, wanted);
      const entries = kind === "user" ? await allUsers(api) : await allGroups(api);
      const named = entries.filter((entry) =>
        [entry.name, entry.username].some((known) => known?.replace(/^#/, "").toLowerCase() === wanted),
      );
      return named.length === 1 ? named[0]?.id : undefined;
    },

    async probe() {
      const { ok: _ok, ...answer } = await api.get(
        "auth.test",
        {},
        z.object({
          ok: z.boolean(),
          team: z.string(),
          user: z.string(),
          user_id: z.string(),
          url: z.string().optional(),
        }),
      );
      return answer;
    },
  };
}

function isDone(failure: ApiFailure, done: readonly string[]): boolean {
  return done.includes(failure.code);
}

function chatMessageOf(message: SlackMessage, self: Self, names: ReadonlyMap<string, string>): ChatMessage[] {
  const sender = senderOf(message, { names });
  if (!message.ts || !sender) return [];
  const text = readableText(message.text ?? "", names);
  return [{ id: message.ts, at: millisecondsOf(message.ts), sender, text, isOurs: isOurs(message, self) }];
}

async function idByEmail(api: SlackApi, email: string): Promise<string | undefined> {
  const asked = await api.ask("users.lookupByEmail", { email }, z.object({ user: User() }));
  if (asked.kind === "answered") return asked.answer.user.id;
  if (asked.failure.code === "users_not_found") return undefined;
  throw errorOf(asked.failure);
}

async function allUsers(api: SlackApi): Promise<DirectoryEntry[]> {
  const pages = await allPages(api, "users.list", {}, z.object({ members: z.array(User()), ...nextPage() }));
  return pages
    .flatMap(({ members }) => members)
    .filter(({ deleted }) => deleted !== true)
    .map((user) => entryOf("user", user.id, displayName(user), user.name));
}

async function allGroups(api: SlackApi): Promise<DirectoryEntry[]> {
  const args = { types: "public_channel,private_channel", exclude_archived: true };
  const pages = await allPages(
    api,
    "conversations.list",
    args,
    z.object({ channels: z.array(Channel()), ...nextPage() }),
  );
  return pages.flatMap(({ channels }) => channels).map(({ id, name }) => entryOf("group", id, name && `#${name}`));
}

const nextPage = () => ({ response_metadata: z.object({ next_cursor: z.string().optional() }).optional() });

async function allPages<T extends { response_metadata?: { next_cursor?: string | undefined } | undefined }>(
  api: SlackApi,
  method: string,
  args: Record<string, unknown>,
  answer: z.ZodType<T>,
): Promise<T[]> {
  const pages: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.get(method, { ...args, limit: PAGE, ...(cursor ? { cursor } : {}) }, answer);
    pages.push(page);
    cursor = page.response_metadata?.next_cursor;
  } while (cursor && pages.length < MOST_PAGES);
  return pages;
}

function entryOf(kind: DirectoryEntry["kind"], id: string, name?: string, username?: string): DirectoryEntry {
  return { kind, id, ...(name ? { name } : {}), ...(username ? { username } : {}) };
}

function matching(entries: readonly DirectoryEntry[], query: string): DirectoryEntry[] {
  const wanted = query.trim().toLowerCase().replace(/^[#@]/, "");
  return entries.filter((entry) =>
    [entry.id, entry.name, entry.username].some((known) => known?.toLowerCase().includes(wanted)),
  );
}
