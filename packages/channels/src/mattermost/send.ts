// Creates, changes and finds posts of ours.
import { createHash } from "node:crypto";
import type { ChannelConnection, OutboundContent, OutboundMessage, SendOutcome } from "@chela/sdk";
import { type RecentIds } from "@chela/sdk/channel-kit";
import type { TableMode } from "@chela/sdk/markdown";
import type { MattermostApi } from "./api.ts";
import { failedSend, notSent } from "./failures.ts";
import type { Files } from "./files.ts";
import { toMattermost } from "./format.ts";
import type { Self } from "./parse.ts";
import type { Places } from "./places.ts";
import { Post, Posts, type MattermostPost } from "./wire.ts";

export interface SenderNeeds {
  readonly api: MattermostApi;
  readonly self: Self;
  readonly places: Places;
  readonly files: Files;
  readonly sent: RecentIds;
  readonly tables: TableMode | undefined;
}

/** Where a post of ours carries its key; others do not see it. */
const KEY_PROP = "chela_key";
const SEARCH_PAGE = 100;

export function createSender(
  needs: SenderNeeds,
): Pick<ChannelConnection, "send" | "edit"> & Required<Pick<ChannelConnection, "findSent">> {
  const { api, self, places, sent } = needs;

  const post = async (message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const place = await places.find(message.target);
    if (place.kind === "failed") return notSent(place.failure);
    const { content } = message;
    const fileIds: string[] = [];
    if (content.kind === "media") {
      const uploaded = await needs.files.upload(content.media, place.answer, signal);
      if (uploaded.kind === "failed") return notSent(uploaded.failure);
      fileIds.push(uploaded.answer);
    }
    const text = textOf(content, needs.tables);
    if (text.trim() === "" && fileIds.length === 0) return rejected("nothing is left of the message");
    const root = message.target.threadId ?? message.replyTo;
    const asked = await api.ask(
      "POST",
      "/posts",
      Post(),
      {
        channel_id: place.answer,
        message: text,
        pending_post_id: `${self.id}:${hashOf(message.key)}`,
        props: { [KEY_PROP]: hashOf(message.key) },
        ...(root ? { root_id: root } : {}),
        ...(fileIds.length > 0 ? { file_ids: fileIds } : {}),
      },
      signal,
    );
    if (asked.kind === "failed") return failedSend(asked.failure);
    sent.add(asked.answer.id);
    return { kind: "sent", messageId: asked.answer.id, chatId: place.answer };
  };

  return {
    async send(message, signal) {
      if (signal.aborted) return { kind: "failed", reason: "unavailable", why: "sending was stopped before it began" };
      return post(message, signal);
    },
    async edit(_target, messageId, markdown) {
      const change = { message: toMattermost(markdown, needs.tables) };
      const asked = await api.ask("PUT", `/posts/${encodeURIComponent(messageId)}/patch`, Post(), change);
      if (asked.kind === "failed") return failedSend(asked.failure);
      return { kind: "sent", messageId: asked.answer.id, chatId: asked.answer.channel_id };
    },
    async findSent(message) {
      const place = await places.find(message.target);
      if (place.kind === "failed") return undefined;
      const path = `/channels/${encodeURIComponent(place.answer)}/posts?per_page=${SEARCH_PAGE}`;
      const asked = await api.ask("GET", path, Posts());
      if (asked.kind === "failed") return undefined;
      const posts = Object.values(asked.answer.posts);
      const found = posts.map(readPost).find((each) => each && isThis(each, message, self));
      if (found) {
        sent.add(found.id);
        return { kind: "sent", messageId: found.id, chatId: place.answer };
      }
      const why = "it is not among the posts of the channel";
      return posts.length < SEARCH_PAGE ? { kind: "failed", reason: "unavailable", why } : undefined;
    },
  };
}

function readPost(post: unknown): MattermostPost | undefined {
  return Post().safeParse(post).data;
}

function isThis(post: MattermostPost, { key }: OutboundMessage, self: Self): boolean {
  return post.user_id === self.id && !post.delete_at && post.props?.[KEY_PROP] === hashOf(key);
}

function hashOf(key: string): string {
  return createHash("sha256").update(`mattermost:${key}`).digest("hex").slice(0, 26);
}

/** Buttons would need an address at which Mattermost finds us: commands are written out instead. */
function textOf(content: OutboundContent, tables: TableMode | undefined): string {
  switch (content.kind) {
    case "text": {
      const commands = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
      const lines = commands.map(({ text, data }) => toMattermost(`- ${text}: \`${data}\``));
      return [toMattermost(content.markdown, tables), ...lines].join("\n");
    }
    case "media":
      return content.caption ? toMattermost(content.caption, tables) : "";
    case "poll": {
      const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
      return toMattermost([content.poll.question, "", ...options].join("\n"));
    }
  }
}

function rejected(why: string): SendOutcome {
  return { kind: "failed", reason: "rejected", why };
}
