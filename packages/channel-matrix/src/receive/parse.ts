// One event of a room as the gateway sees it. Pure: what has to be looked up is handed in.
import type { ChannelContent, ChannelEvent, ChannelSender, Chat, Target } from "@chela/sdk";
import { readMessage, readPlainText } from "./parse-message.ts";
import { MessageContent, relationOf, type RoomEvent } from "../wire.ts";

export interface RoomView {
  readonly id: string;
  /** The other one, when exactly one other person is here and the room is a direct chat. */
  readonly peer?: string;
  readonly title?: string;
}

/** An earlier event another one is about. */
export interface Original {
  readonly sender: string;
  readonly text?: string;
  /** Of a reaction: what it was, and on what. */
  readonly reaction?: { readonly emoji: string; readonly on: string };
  /** Of a poll: its answers by id. */
  readonly answers?: Readonly<Record<string, string>>;
}

export interface ParseContext {
  readonly us: string;
  readonly room: RoomView;
  readonly threadReplies: "off" | "inbound" | "always";
  /** The event named by `aboutOf`, when it is known. */
  readonly original?: Original;
  nameOf(userId: string): string | undefined;
}

export type ParsedEvent =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

const POLL_RESPONSES = ["m.poll.response", "org.matrix.msc3381.poll.response"];
const POLL_STARTS = ["m.poll.start", "org.matrix.msc3381.poll.start"];

/** The id of the event this one is about, if any. */
export function aboutOf(event: RoomEvent): string | undefined {
  if (event.type === "m.room.redaction") return redactedBy(event);
  const relation = relationOf(event.content);
  if (event.type === "m.reaction" || POLL_RESPONSES.includes(event.type)) return relation.event_id;
  return repliedTo(event);
}

export function parseEvent(event: RoomEvent, context: ParseContext): ParsedEvent {
  if (event.sender === context.us) return { kind: "dropped", why: "we wrote it ourselves" };
  if (event.state_key !== undefined) return { kind: "dropped", why: "it is about the room's state" };
  const content = readContent(event, context);
  if (content.kind === "dropped") return content;
  const threadId = threadOf(event, content.content, context);
  const chat = chatOf(context.room, threadId);
  const to = context.room.peer ?? context.room.id;
  const replyTarget: Target = { to, ...(threadId ? { threadId } : {}) };
  return {
    kind: "event",
    event: {
      id: event.event_id,
      messageId: content.messageId ?? event.event_id,
      at: event.origin_server_ts,
      chat,
      sender: senderOf(event.sender, context),
      replyTarget,
      content: content.content,
    },
  };
}

export function senderOf(userId: string, context: Pick<ParseContext, "nameOf">): ChannelSender {
  const name = context.nameOf(userId);
  return { id: userId, username: userId, ...(name ? { name } : {}) };
}

function chatOf(room: RoomView, threadId: string | undefined): Chat {
  const thread = threadId ? { threadId } : {};
  if (room.peer !== undefined) return { kind: "direct", id: room.peer, ...thread };
  return { kind: "group", id: room.id, ...thread, ...(room.title ? { title: room.title } : {}) };
}

function threadOf(event: RoomEvent, content: ChannelContent, context: ParseContext): string | undefined {
  if (context.threadReplies === "off" || content.kind !== "message") return undefined;
  const { rel_type, event_id } = relationOf(event.content);
  if (rel_type === "m.thread" && event_id) return event_id;
  return context.threadReplies === "always" ? event.event_id : undefined;
}

type ReadContent =
  | { readonly kind: "content"; readonly content: ChannelContent; readonly messageId?: string }
  | { readonly kind: "dropped"; readonly why: string };

const dropped = (why: string): ReadContent => ({ kind: "dropped", why });

function readContent(event: RoomEvent, context: ParseContext): ReadContent {
  if (event.type === "m.room.message" || event.type === "m.sticker") return readRoomMessage(event, context);
  if (event.type === "m.reaction") return readReaction(event, context);
  if (event.type === "m.room.redaction") return readRedaction(event, context);
  if (POLL_STARTS.includes(event.type)) return readPoll(event);
  if (POLL_RESPONSES.includes(event.type)) return readPollAnswer(event, context);
  if (event.type === "m.room.encrypted") return dropped("it is encrypted");
  return dropped(`nothing is done with ${event.type}`);
}

function readRoomMessage(event: RoomEvent, context: ParseContext): ReadContent {
  const read = MessageContent().safeParse(event.content);
  // A redacted message has nothing left in it.
  if (!read.success || Object.keys(event.content).length === 0) return dropped("it was deleted");
  const { rel_type, event_id } = relationOf(event.content);
  if (rel_type === "m.replace") return readEdit(event_id, read.data["m.new_content"]);
  // Bots talk in notices: answering them could go on for ever.
  if (read.data.msgtype === "m.notice") return dropped("it is a notice");
  const message = readMessage(event, read.data, context);
  if (message.text === "" && !message.media) return dropped("there is nothing in it");
  const id = repliedTo(event);
  const { original } = context;
  const replyTo = id
    ? {
        replyTo: {
          id,
          isOurs: original?.sender === context.us,
          ...(original ? { sender: senderOf(original.sender, context) } : {}),
          ...(original?.text ? { text: original.text } : {}),
        },
      }
    : {};
  return { kind: "content", content: { kind: "message", ...message, ...replyTo } };
}

function readEdit(of: string | undefined, replacement: Readonly<Record<string, unknown>> | undefined): ReadContent {
  const read = MessageContent().safeParse(replacement);
  if (!of || !read.success) return dropped("an edit of nothing");
  if (read.data.msgtype === "m.notice") return dropped("it is a notice");
  const content: ChannelContent = { kind: "edit", of, text: read.data.body };
  return { kind: "content", content, messageId: of };
}

/** The id after `m.in_reply_to`, unless it is there only for clients without threads. */
function repliedTo(event: RoomEvent): string | undefined {
  const relation = relationOf(event.content);
  if (relation.rel_type === "m.thread" && relation.is_falling_back) return undefined;
  return relation["m.in_reply_to"]?.event_id;
}

function readReaction(event: RoomEvent, { us, original }: ParseContext): ReadContent {
  const { event_id: on, key: emoji } = relationOf(event.content);
  if (!on || !emoji) return dropped("a reaction to nothing");
  const content: ChannelContent = {
    kind: "reaction",
    emoji: emoji.slice(0, 100),
    isRemoved: false,
    on,
    onOurs: original?.sender === us,
  };
  return { kind: "content", content, messageId: on };
}

function redactedBy(event: RoomEvent): string | undefined {
  const { redacts } = event.content;
  return typeof redacts === "string" ? redacts : event.redacts;
}

function readRedaction(event: RoomEvent, { original }: ParseContext): ReadContent {
  const id = redactedBy(event);
  if (!id) return dropped("nothing was deleted");
  if (original?.reaction && original.sender === event.sender) {
    const { emoji, on } = original.reaction;
    const content: ChannelContent = { kind: "reaction", emoji, isRemoved: true, on, onOurs: false };
    return { kind: "content", content, messageId: on };
  }
  return { kind: "content", content: { kind: "notice", text: "A message was deleted." }, messageId: id };
}

function readPoll(event: RoomEvent): ReadContent {
  const text = readPlainText(event);
  return text ? { kind: "content", content: { kind: "message", text, mentionsUs: false } } : dropped("an empty poll");
}

function readPollAnswer(event: RoomEvent, { original }: ParseContext): ReadContent {
  const on = relationOf(event.content).event_id;
  const response = (event.content["org.matrix.msc3381.poll.response"] ?? event.content["m.selections"]) as unknown;
  const ids = Array.isArray(response) ? response : (response as { answers?: unknown } | undefined)?.answers;
  const chosen = (Array.isArray(ids) ? ids : []).flatMap((id) => original?.answers?.[String(id)] ?? []);
  if (!on || chosen.length === 0) return dropped("an answer to a poll nobody knows");
  const content: ChannelContent = { kind: "notice", text: `Voted in a poll: ${chosen.join(", ")}` };
  return { kind: "content", content, messageId: on };
}
