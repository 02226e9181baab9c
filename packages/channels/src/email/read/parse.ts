// A mail as an event of its sender's chat. Pure: what it needs of the server it is handed.
import { defined } from "@chela/sdk/base";
import type { ChannelEvent, InboundMedia, Quoted } from "@chela/sdk";
import { cutHistory } from "./cut-history.ts";
import type { Envelope } from "./envelope.ts";

export interface MailContent {
  readonly text: string;
  readonly media: readonly InboundMedia[];
}

export interface Arrival {
  /** When the server got it. */
  readonly at: number;
  /** Whether a message id is one of ours. */
  isOurs(messageId: string): boolean;
}

const MOST_HISTORY = 4000;

export function toEvent(envelope: Envelope, content: MailContent, arrival: Arrival): ChannelEvent {
  const { text, history } = cutHistory(content.text, isAnswer(envelope));
  const { media } = content;
  return {
    ...placeOf(envelope, arrival.at),
    content: {
      kind: "message",
      text: withSubject(envelope, text),
      mentionsUs: false,
      ...(media.length > 0 ? { media } : {}),
      ...quotedBy(envelope, history, arrival),
    },
  };
}

/** For a mail that is not read because of its size. */
export function toSizeNotice(envelope: Envelope, bytes: number, limit: number, at: number): ChannelEvent {
  const megabytes = (count: number): string => (count / 1024 / 1024).toFixed(1);
  const subject = envelope.subject === "" ? "" : ` "${envelope.subject}"`;
  const text = `A mail${subject} of ${megabytes(bytes)} MB was not read: mails may have ${megabytes(limit)} MB (maxMessageMb).`;
  return { ...placeOf(envelope, at), content: { kind: "notice", text } };
}

function placeOf(envelope: Envelope, at: number): Omit<ChannelEvent, "content"> {
  const { sender, messageId, eventId, threadId, subject } = envelope;
  return {
    id: eventId,
    ...defined({ messageId }),
    at,
    chat: { kind: "direct", id: sender.id, threadId, ...(subject === "" ? {} : { title: subject }) },
    sender,
    replyTarget: { to: sender.id, threadId },
  };
}

/** Of a mail that is passed on, the old text is what it is about. */
function isAnswer({ inReplyTo, subject }: Envelope): boolean {
  return inReplyTo !== undefined && !/^(?:fwd?|wg|tr|rv|i|enc):/i.test(subject);
}

/** The subject of a first mail is part of what is said; a command has to stand at the beginning. */
function withSubject({ subject, references }: Envelope, text: string): string {
  if (text === "") return subject;
  const isFirst = references.length === 0 && subject !== "";
  return isFirst && !text.startsWith("/") ? `Subject: ${subject}\n\n${text}` : text;
}

/** Whoever writes brings the quote along and could have changed it: it counts as the word of nobody else. */
function quotedBy({ inReplyTo, sender }: Envelope, history: string, { isOurs }: Arrival): { replyTo?: Quoted } {
  if (inReplyTo === undefined) return {};
  const text = history.slice(0, MOST_HISTORY).toWellFormed();
  return { replyTo: { id: inReplyTo, isOurs: isOurs(inReplyTo), sender, ...(text === "" ? {} : { text }) } };
}
