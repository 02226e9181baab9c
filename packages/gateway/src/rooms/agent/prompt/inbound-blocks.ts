// Blocks for what strangers choose about a message (names, subjects, quotes): sent beside the message, as data that is
// marked as untrusted. It never enters the system prompt.
import { untrustedLine, untrustedText } from "./clean-text.ts";

const MAX_ID = 128;
const MAX_NAME = 200;
const MAX_BODY = 2000;
const MAX_HISTORY_BODY = 1000;
const MAX_HISTORY = 50;
const MAX_HISTORY_CHARS = 16_000;

/** The conversation a message comes from. Everything may be chosen by strangers. */
interface InboundConversation {
  readonly messageId?: string;
  readonly replyToId?: string;
  readonly senderId?: string;
  readonly label?: string;
  readonly sender?: string;
  readonly timestamp?: string;
  readonly groupSubject?: string;
  readonly groupChannel?: string;
  readonly groupSpace?: string;
  readonly threadLabel?: string;
  readonly isForum?: boolean;
  readonly isGroupChat?: boolean;
  readonly wasMentioned?: boolean;
}

interface InboundSender {
  readonly label: string;
  readonly id?: string;
  readonly name?: string;
  readonly username?: string;
  readonly tag?: string;
  readonly e164?: string;
}

interface InboundForward {
  readonly from: string;
  readonly type?: string;
  readonly username?: string;
  readonly title?: string;
  readonly signature?: string;
  readonly chatType?: string;
  readonly dateMs?: number;
}

export interface InboundMeta {
  readonly conversation?: InboundConversation;
  readonly sender?: InboundSender;
  readonly threadStarter?: string;
  readonly repliedTo?: { readonly sender?: string; readonly isQuote?: boolean; readonly body: string };
  readonly forwarded?: InboundForward;
  /** What others wrote since the last reply, oldest first. */
  readonly history?: ReadonlyArray<{ readonly sender: string; readonly timestampMs?: number; readonly body: string }>;
}

const BLOCK_TITLES = {
  conversation: "Conversation info (untrusted metadata):",
  sender: "Sender (untrusted metadata):",
  threadStarter: "Thread starter (untrusted, for context):",
  repliedTo: "Replied message (untrusted, for context):",
  forwarded: "Forwarded message context (untrusted metadata):",
  history: "Chat history since last reply (untrusted, for context):",
} as const;

type Field = string | number | boolean | undefined;

/** Blocks separated by blank lines, to stand before the message with a blank line between; "" when there is nothing to tell. */
export function inboundBlocks(meta: InboundMeta): string {
  const { sender, threadStarter, repliedTo, forwarded } = meta;
  const history = shownHistory(meta.history ?? []);
  const blocks = [
    block(BLOCK_TITLES.conversation, conversationFields(meta, history.length)),
    sender && block(BLOCK_TITLES.sender, senderFields(sender)),
    threadStarter && block(BLOCK_TITLES.threadStarter, { body: body(threadStarter, MAX_BODY) }),
    repliedTo && block(BLOCK_TITLES.repliedTo, repliedFields(repliedTo)),
    forwarded && block(BLOCK_TITLES.forwarded, forwardFields(forwarded)),
    history.length > 0 && fence(BLOCK_TITLES.history, history),
  ];
  return blocks.filter(Boolean).join("\n\n");
}

function conversationFields(meta: InboundMeta, historyCount: number): Record<string, Field> {
  const from = meta.conversation ?? {};
  return {
    message_id: id(from.messageId),
    reply_to_id: id(from.replyToId),
    sender_id: id(from.senderId),
    conversation_label: name(from.label),
    sender: name(from.sender),
    timestamp: id(from.timestamp),
    group_subject: name(from.groupSubject),
    group_channel: name(from.groupChannel),
    group_space: name(from.groupSpace),
    thread_label: name(from.threadLabel),
    is_forum: from.isForum || undefined,
    is_group_chat: from.isGroupChat || undefined,
    was_mentioned: from.wasMentioned || undefined,
    has_reply_context: meta.repliedTo !== undefined || undefined,
    has_forwarded_context: meta.forwarded !== undefined || undefined,
    has_thread_starter: Boolean(meta.threadStarter) || undefined,
    history_count: historyCount || undefined,
  };
}

function senderFields(sender: InboundSender): Record<string, Field> {
  return {
    label: name(sender.label),
    id: id(sender.id),
    name: name(sender.name),
    username: name(sender.username),
    tag: name(sender.tag),
    e164: id(sender.e164),
  };
}

function repliedFields(replied: NonNullable<InboundMeta["repliedTo"]>): Record<string, Field> {
  return {
    sender_label: name(replied.sender),
    is_quote: replied.isQuote || undefined,
    body: body(replied.body, MAX_BODY),
  };
}

function forwardFields(forward: InboundForward): Record<string, Field> {
  return {
    from: name(forward.from),
    type: id(forward.type),
    username: name(forward.username),
    title: name(forward.title),
    signature: name(forward.signature),
    chat_type: id(forward.chatType),
    date_ms: forward.dateMs,
  };
}

/** The newest that fit, oldest first. */
function shownHistory(history: NonNullable<InboundMeta["history"]>): Record<string, Field>[] {
  const shown: Record<string, Field>[] = [];
  let left = MAX_HISTORY_CHARS;
  for (const one of history.slice(-MAX_HISTORY).reverse()) {
    const text = body(one.body, MAX_HISTORY_BODY) ?? "";
    left -= text.length;
    if (left < 0) break;
    shown.unshift({ sender: name(one.sender), timestamp_ms: one.timestampMs, body: text });
  }
  return shown;
}

function block(title: string, fields: Record<string, Field>): string {
  return Object.values(fields).some((value) => value !== undefined) ? fence(title, fields) : "";
}

/** JSON keeps every value on one line and in quotes: nothing in it can end the fence. */
function fence(title: string, value: unknown): string {
  return `${title}\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
}

function id(value: string | undefined): string | undefined {
  return value === undefined ? undefined : untrustedLine(value, MAX_ID) || undefined;
}

function name(value: string | undefined): string | undefined {
  return value === undefined ? undefined : untrustedLine(value, MAX_NAME) || undefined;
}

function body(value: string, max: number): string | undefined {
  return untrustedText(value, max) || undefined;
}
