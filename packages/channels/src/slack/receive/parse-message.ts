// Turns Slack's messages, in all the forms they come in, into channel events.
import type { ChannelContent, ChannelSender, ChatKind, InboundMedia, MediaKind } from "@chela/sdk";
import { kindByPrefix } from "../address.ts";
import { mentions, readableText, withoutLeadingMention } from "./readable.ts";
import {
  drop,
  millisecondsOf,
  placeOf,
  threadOf,
  type Parsed,
  type Self,
  type MessageContext,
} from "./message-context.ts";
import type { SlackFile, SlackMessage, SlackMessageEvent } from "../wire.ts";

/** Subtypes that are somebody's words; the others tell of the channel itself. */
const WORDS = new Set<string | undefined>([undefined, "file_share", "thread_broadcast", "me_message", "bot_message"]);

export function parseMessage(event: SlackMessageEvent, around: MessageContext): Parsed {
  if (event.subtype === "message_changed") return parseEdit(event, around);
  if (event.subtype === "message_deleted") return parseDeletion(event, around);
  if (!WORDS.has(event.subtype)) return drop(`messages of the kind ${event.subtype} are not for us`);
  const { ts } = event;
  const sender = senderOf(event, around);
  if (!ts || !sender) return drop("it has no time or no sender");
  if (isOurs(event, around.self)) return drop("it is our own message");
  const content = contentOf(event, around);
  if (content.text === "" && content.media === undefined) return drop("it is empty");
  const kind = chatKindOf(event, around);
  return {
    kind: "event",
    event: {
      // A mention in a channel comes twice, as a message and as a mention; both are the same event.
      id: `${event.channel}:${ts}`,
      messageId: ts,
      at: millisecondsOf(ts),
      ...placeOf({ channel: event.channel, kind, sender, ...threadOf(ts, event.thread_ts) }, around),
      sender,
      content,
    },
  };
}

function contentOf(event: SlackMessageEvent, around: MessageContext): ChannelContent & { kind: "message" } {
  const { self, names } = around;
  const markup = event.text ?? "";
  const shared = event.attachments.find(({ is_share, is_msg_unfurl }) => is_share === true || is_msg_unfurl === true);
  const own = readableText(withoutLeadingMention(markup, self.userId), namesWithUs(self, names));
  // A forwarded message and the words of many bots are in attachments.
  const attached = shared ?? (own === "" ? event.attachments[0] : undefined);
  const quoted = readableText(attached?.text ?? attached?.fallback ?? "", names);
  const media = [...event.files, ...(attached?.files ?? [])].flatMap(mediaOf);
  const inThread = threadOf(event.ts ?? "", event.thread_ts).threadId;
  return {
    kind: "message",
    text: [own, quoted].filter((part) => part !== "").join("\n\n"),
    mentionsUs: mentions(markup, self.userId),
    ...(media.length > 0 ? { media } : {}),
    ...(shared ? { forwardedFrom: shared.author_name ?? shared.author_id ?? "somebody" } : {}),
    ...(inThread && event.parent_user_id
      ? {
          replyTo: {
            id: inThread,
            isOurs: event.parent_user_id === self.userId,
            sender: { id: event.parent_user_id },
          },
        }
      : {}),
  };
}

/** Slack changes messages also when it adds a preview of a link; only what a person changed is an edit. */
function parseEdit(event: SlackMessageEvent, around: MessageContext): Parsed {
  const { message, previous_message: before } = event;
  const ts = message?.ts;
  const editedAt = message?.edited?.ts;
  if (!message || !ts) return drop("an edit without a message");
  const sender = senderOf(message, around);
  if (!sender) return drop("it has no sender");
  if (isOurs(message, around.self)) return drop("it is our own message");
  if (!editedAt || message.text === before?.text) return drop("nobody changed its text");
  return {
    kind: "event",
    event: {
      id: `${event.channel}:${ts}:edit:${editedAt}`,
      messageId: ts,
      at: millisecondsOf(editedAt),
      ...placeOf(
        { channel: event.channel, kind: chatKindOf(event, around), sender, ...threadOf(ts, message.thread_ts) },
        around,
      ),
      sender,
      content: {
        kind: "edit",
        of: ts,
        text: readableText(message.text ?? "", namesWithUs(around.self, around.names)),
      },
    },
  };
}

function parseDeletion(event: SlackMessageEvent, around: MessageContext): Parsed {
  const { previous_message: before, deleted_ts: ts } = event;
  if (!before || !ts) return drop("nobody knows which message was deleted");
  const sender = senderOf(before, around);
  if (!sender) return drop("it has no sender");
  if (isOurs(before, around.self)) return drop("it was our own message");
  const at = event.event_ts ?? event.ts ?? ts;
  return {
    kind: "event",
    event: {
      id: `${event.channel}:${ts}:deleted`,
      messageId: ts,
      at: millisecondsOf(at),
      ...placeOf(
        { channel: event.channel, kind: chatKindOf(event, around), sender, ...threadOf(ts, before.thread_ts) },
        around,
      ),
      sender,
      content: { kind: "notice", text: `${sender.name ?? sender.id} deleted the message ${ts}.` },
    },
  };
}

/** Said by the event, else by the workspace, else by the id. Where they disagree the stricter rules hold. */
function chatKindOf(event: SlackMessageEvent, around: MessageContext): ChatKind {
  const told = event.channel_type;
  const byId = kindByPrefix(event.channel);
  if (told === "im" || byId === "direct") {
    return byId === "direct" && (told === "im" || told === undefined) ? "direct" : "group";
  }
  if (told === "channel" || told === "group") return "channel";
  if (told === undefined) return around.kind ?? byId;
  return "group";
}

export function senderOf(message: SlackMessage, around: Pick<MessageContext, "names">): ChannelSender | undefined {
  const { user, bot_id: bot, username, user_profile: profile, bot_profile: robot } = message;
  const id = user ?? bot;
  if (!id) return undefined;
  const name =
    profile?.display_name || profile?.real_name || around.names.get(id) || robot?.name || (user ? undefined : username);
  return {
    id,
    ...(name ? { name } : {}),
    ...(profile?.name ? { username: profile.name } : {}),
    ...(bot || message.subtype === "bot_message" ? { isBot: true } : {}),
  };
}

export function isOurs(message: SlackMessage, self: Self): boolean {
  return message.user === self.userId || (self.botId !== undefined && message.bot_id === self.botId);
}

function namesWithUs(self: Self, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names, [self.userId, self.name]]);
}

/** Files that were deleted, hidden by the plan, or lie at another company have no bytes for us. */
function mediaOf(file: SlackFile): InboundMedia[] {
  if (file.mode === "tombstone" || file.mode === "hidden_by_limit" || file.mode === "external") return [];
  const ref = file.url_private_download ?? file.url_private ?? (file.id ? `file:${file.id}` : undefined);
  if (!ref) return [];
  const name = file.name ?? file.title;
  return [
    {
      kind: mediaKindOf(file),
      ref,
      ...(file.mimetype ? { mimeType: file.mimetype } : {}),
      ...(name ? { name } : {}),
      ...(file.size === undefined ? {} : { bytes: file.size }),
    },
  ];
}

function mediaKindOf({ mimetype = "", subtype }: SlackFile): MediaKind {
  if (subtype === "slack_audio") return "voice";
  const [family] = mimetype.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}
