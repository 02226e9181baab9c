// Actions besides sending: reactions, deleting, history, pins, looking people and channels up.
import * as z from "zod";
import { GatewayError, type ChannelConnection, type ChatMessage, type DirectoryEntry, type Target } from "@chela/sdk";
import type { MattermostApi } from "./api.ts";
import { emojiNameOf, emojiOf } from "./emoji.ts";
import { errorOf } from "./failures.ts";
import type { Self } from "./parse.ts";
import { displayNameOf, type People } from "./people.ts";
import type { Places } from "./places.ts";
import { MattermostChannel, Post, Posts, Reaction, User, type MattermostPost, type MattermostUser } from "./wire.ts";

export interface OperationNeeds {
  readonly api: MattermostApi;
  readonly self: Self;
  readonly places: Places;
  readonly people: People;
}

type Operations = Omit<ChannelConnection, "ended" | "close" | "send" | "edit" | "findSent" | "typing" | "download">;

const Nothing = () => z.unknown();
const MOST = 200;

export function createOperations({ api, self, places, people }: OperationNeeds): Operations {
  const placeOf = async (target: Target): Promise<string> => {
    const place = await places.find(target);
    if (place.kind === "failed") throw errorOf(place.failure);
    return place.answer;
  };
  const ensure = async (method: string, path: string, body?: unknown): Promise<void> => {
    const asked = await api.ask(method, path, Nothing(), body);
    if (asked.kind === "failed") throw errorOf(asked.failure);
  };
  const asChatMessages = async (answer: z.output<ReturnType<typeof Posts>>): Promise<ChatMessage[]> => {
    const posts = Object.values(answer.posts).flatMap((post): MattermostPost[] => {
      const read = Post().safeParse(post);
      return read.success ? [read.data] : [];
    });
    const sorted = posts.filter(({ delete_at: gone }) => !gone).sort((a, b) => a.create_at - b.create_at);
    return Promise.all(sorted.map(async (post) => asChatMessage(post, await people.user(post.user_id), self)));
  };
  const myChannels = (): Promise<Array<z.output<ReturnType<typeof MattermostChannel>>>> =>
    api.get("/users/me/channels", z.array(MattermostChannel()));

  return {
    unsend: (_target, messageId) => ensure("DELETE", `/posts/${encodeURIComponent(messageId)}`),
    async react(_target, messageId, emoji, isRemoved) {
      const name = emojiNameOf(emoji);
      if (!name) throw new GatewayError("CHANNEL_REFUSED", `we know no name for the emoji ${emoji} here; write :name:`);
      const path = `/users/${self.id}/posts/${encodeURIComponent(messageId)}/reactions/${encodeURIComponent(name)}`;
      if (isRemoved) return ensure("DELETE", path);
      return ensure("POST", "/reactions", { user_id: self.id, post_id: messageId, emoji_name: name });
    },
    async reactions(_target, messageId) {
      const path = `/posts/${encodeURIComponent(messageId)}/reactions`;
      const byEmoji = new Map<string, string[]>();
      for (const { emoji_name: name, user_id: id } of (await api.get(path, z.array(Reaction()).nullable())) ?? []) {
        byEmoji.set(name, [...(byEmoji.get(name) ?? []), id]);
      }
      return [...byEmoji].map(([name, userIds]) => ({ emoji: emojiOf(name), userIds }));
    },
    async history(target, { limit, before, after }) {
      const count = Math.max(1, Math.min(limit, MOST));
      if (target.threadId) {
        const thread = await asChatMessages(
          await api.get(`/posts/${encodeURIComponent(target.threadId)}/thread`, Posts()),
        );
        return thread.slice(-count);
      }
      const query = new URLSearchParams({
        per_page: String(count),
        ...(before ? { before } : {}),
        ...(after ? { after } : {}),
      });
      const path = `/channels/${encodeURIComponent(await placeOf(target))}/posts?${query}`;
      return (await asChatMessages(await api.get(path, Posts()))).slice(-count);
    },
    pin: (_target, messageId, isRemoved) =>
      ensure("POST", `/posts/${encodeURIComponent(messageId)}/${isRemoved ? "unpin" : "pin"}`),
    async pins(target) {
      return asChatMessages(await api.get(`/channels/${encodeURIComponent(await placeOf(target))}/pinned`, Posts()));
    },
    directory: {
      self: async () => ({ kind: "user", id: self.id, name: self.username, username: self.username }),
      async users(term, limit) {
        const asked = await api.ask("POST", "/users/search", z.array(User()), { term, limit: Math.min(limit, MOST) });
        if (asked.kind === "failed") throw errorOf(asked.failure);
        return asked.answer.map(userEntry);
      },
      async groups(query, limit) {
        const wanted = query.trim().toLowerCase().replace(/^[#~]/, "");
        return (await myChannels())
          .filter(
            ({ type, name, display_name: shown }) => type !== "D" && `${name} ${shown}`.toLowerCase().includes(wanted),
          )
          .slice(0, limit)
          .map(({ id, name, display_name: shown }) => ({ kind: "group", id, name: shown || name, username: name }));
      },
      async members(groupId, limit) {
        const query = new URLSearchParams({ in_channel: groupId, per_page: String(Math.min(limit, MOST)) });
        return (await api.get(`/users?${query}`, z.array(User()))).map(userEntry);
      },
    },
    async resolveName(written, kind) {
      const name = written.replace(/^[@#~]/, "").toLowerCase();
      if (written.startsWith(kind === "user" ? "#" : "@")) return undefined;
      if (kind === "group") {
        const named = (await myChannels()).filter((channel) => channel.type !== "D" && channel.name === name);
        return named.length === 1 ? named[0]?.id : undefined;
      }
      const asked = await api.ask("GET", `/users/username/${encodeURIComponent(name)}`, User());
      return asked.kind === "answered" && !asked.answer.delete_at ? asked.answer.id : undefined;
    },
    async probe() {
      const { id, username } = await api.get("/users/me", User());
      return { id, username };
    },
  };
}

function userEntry(user: MattermostUser): DirectoryEntry {
  return { kind: "user", id: user.id, name: displayNameOf(user), username: user.username };
}

function asChatMessage(post: MattermostPost, user: MattermostUser | undefined, self: Self): ChatMessage {
  const names = user ? { name: displayNameOf(user), username: user.username } : {};
  const isOurs = post.user_id === self.id;
  return { id: post.id, at: post.create_at, sender: { id: post.user_id, ...names }, text: post.message, isOurs };
}
