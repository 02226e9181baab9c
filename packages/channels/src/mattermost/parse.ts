// Reads posts and reactions: what is said, by whom, where. Pure; what is not for us says why.
import type { ChannelContent, ChannelEvent, ChannelSender, Chat, ChatKind, InboundMedia, MediaKind } from "@chela/sdk";
import { emojiOf } from "./emoji.ts";
import type { MattermostPost, MattermostReaction } from "./wire.ts";

export interface Self {
  readonly id: string;
  readonly username: string;
}

/** What is known beside the post itself. */
export interface MessageContext {
  readonly self: Self;
  /** As the server says: D, G, P or O. */
  readonly channelType: string | undefined;
  readonly title?: string;
  readonly teamId?: string;
  readonly username?: string;
  readonly name?: string;
  readonly isBot?: boolean;
  /** Whom the server counts as mentioned. */
  readonly mentions: readonly string[];
  readonly prefixes: readonly string[];
  isOurPost(id: string): boolean;
}

export type ParsedPost =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "none"; readonly why: string };

const none = (why: string): ParsedPost => ({ kind: "none", why });

/** Posts people write; others tell that somebody joined, that a title changed, and so on. */
const WRITTEN = new Set(["", "me", "slack_attachment"]);

export function parsePost(post: MattermostPost, around: MessageContext): ParsedPost {
  if (post.user_id === around.self.id) return none("our own");
  if (post.delete_at) return none("it was deleted");
  if (!WRITTEN.has(post.type ?? "")) return none(`of type ${post.type}`);
  const content = readContent(post, around);
  return content ? { kind: "event", event: eventFor(post, post.id, post.create_at, content, around) } : none("empty");
}

/** Mattermost also says so when it adds the preview of a link; then nobody edited anything. */
export function parseEdit(post: MattermostPost, around: MessageContext): ParsedPost {
  if (post.user_id === around.self.id) return none("our own");
  if (!post.edit_at || post.delete_at || !WRITTEN.has(post.type ?? "")) return none("not an edit by a person");
  const content: ChannelContent = { kind: "edit", of: post.id, text: post.message };
  return { kind: "event", event: eventFor(post, `${post.id}:edit:${post.edit_at}`, post.edit_at, content, around) };
}

export interface ReactionPlace {
  readonly channelId: string;
  readonly rootId: string | undefined;
  readonly isRemoved: boolean;
  readonly onOurs: boolean;
  readonly now: number;
}

export function parseReaction(reaction: MattermostReaction, place: ReactionPlace, around: MessageContext): ParsedPost {
  if (reaction.user_id === around.self.id) return none("our own");
  const { user_id: id, post_id: on, emoji_name: name } = reaction;
  const { isRemoved, onOurs } = place;
  const at = isRemoved ? place.now : (reaction.create_at ?? place.now);
  const chat = chatOf(place.channelId, place.rootId, id, around);
  const content: ChannelContent = { kind: "reaction", emoji: emojiOf(name), isRemoved, on, onOurs };
  return {
    kind: "event",
    event: {
      id: `${on}:${isRemoved ? "un" : ""}reaction:${id}:${name}:${at}`,
      messageId: on,
      at,
      chat,
      sender: withNames({ id }, around),
      replyTarget: replyTargetOf(chat),
      content,
    },
  };
}

function eventFor(
  post: MattermostPost,
  id: string,
  at: number,
  content: ChannelContent,
  around: MessageContext,
): ChannelEvent {
  const sender = senderOf(post, around);
  const chat = chatOf(post.channel_id, post.root_id ?? undefined, sender.id, around);
  return { id, messageId: post.id, at, chat, sender, replyTarget: replyTargetOf(chat), content };
}

const KINDS: Readonly<Record<string, ChatKind>> = { D: "direct", G: "group", P: "channel", O: "channel" };

function chatOf(channelId: string, rootId: string | undefined, senderId: string, around: MessageContext): Chat {
  const { channelType = "", title, teamId } = around;
  const kind = Object.hasOwn(KINDS, channelType) ? (KINDS[channelType] ?? "group") : "group";
  return {
    kind,
    id: kind === "direct" ? senderId : channelId,
    ...(rootId ? { threadId: rootId } : {}),
    ...(teamId ? { teamId } : {}),
    ...(title && kind !== "direct" ? { title } : {}),
  };
}

function replyTargetOf({ kind, id, threadId }: Chat): ChannelEvent["replyTarget"] {
  return { to: kind === "direct" ? `user:${id}` : `channel:${id}`, ...(threadId ? { threadId } : {}) };
}

/** A webhook posts with the id of whoever made it, under any name: it must not have that person's rights. */
function senderOf(post: MattermostPost, around: MessageContext): ChannelSender {
  const isWebhook = isTrue(post.props?.["from_webhook"]);
  if (isWebhook) return { id: `webhook:${post.user_id}`, isBot: true };
  const isBot = around.isBot === true || isTrue(post.props?.["from_bot"]);
  return withNames({ id: post.user_id, ...(isBot ? { isBot } : {}) }, around);
}

const isTrue = (value: unknown): boolean => value === true || value === "true";

function withNames(sender: ChannelSender, { username, name }: MessageContext): ChannelSender {
  return { ...sender, ...(name || username ? { name: name || username } : {}), ...(username ? { username } : {}) };
}

function readContent(post: MattermostPost, around: MessageContext): ChannelContent | undefined {
  const media = mediaIn(post);
  const said = post.message.trim();
  if (said === "" && media.length === 0) return undefined;
  const prefix = around.prefixes.find((each) => said.startsWith(each));
  const text = prefix === undefined ? withoutAddress(said, around.self) : said.slice(prefix.length).trim();
  return {
    kind: "message",
    text,
    ...(media.length > 0 ? { media } : {}),
    mentionsUs: prefix !== undefined || isMentioned(said, around),
    ...(post.root_id ? { replyTo: { id: post.root_id, isOurs: around.isOurPost(post.root_id) } } : {}),
  };
}

/** `@bot hello` says who is meant; the rest is what is said, so that `@bot /status` is a command. */
function withoutAddress(text: string, { username }: Self): string {
  const [, name = "", rest = ""] = /^@([\w.-]+)[:,]?\s+(.+)$/s.exec(text) ?? [];
  return name.toLowerCase() === username.toLowerCase() ? rest : text;
}

/** Whoever calls a whole channel does not mean us. */
function isMentioned(text: string, { self, mentions }: MessageContext): boolean {
  const named = text.matchAll(/(?<![\w.@-])@([a-z0-9][\w.-]*)/gi);
  const names = [...named].map(([, name = ""]) => name.toLowerCase().replace(/[.-]+$/, ""));
  if (names.includes(self.username.toLowerCase())) return true;
  const isForAll = names.some((name) => ["all", "channel", "here"].includes(name));
  return mentions.includes(self.id) && !isForAll;
}

function mediaIn(post: MattermostPost): InboundMedia[] {
  const files = post.metadata?.files ?? (post.file_ids ?? []).map((id) => ({ id }));
  return files.slice(0, 10).map((file) => {
    const { id, name, mime_type: mimeType, size } = { name: undefined, mime_type: undefined, size: undefined, ...file };
    return {
      kind: kindOf(mimeType ?? ""),
      ref: id,
      ...(mimeType ? { mimeType } : {}),
      ...(name ? { name } : {}),
      ...(typeof size === "number" ? { bytes: size } : {}),
    };
  });
}

function kindOf(mimeType: string): MediaKind {
  const [family = ""] = mimeType.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}
