// Parses a message as Twilio tells of it, in a request or in a list, into an event of the gateway. Pure.
import * as z from "zod";
import { once, type ChannelEvent, type InboundMedia, type MediaKind } from "@chela/sdk";
import { senderId } from "./address.ts";
import type { SmsAccount } from "./config.ts";

type ParsedMessage =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

type Ours = Pick<SmsAccount, "accountSid" | "from" | "messagingServiceSid">;

interface Told {
  readonly sid: string;
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  readonly serviceSid: string;
  readonly text: string;
  readonly media: readonly InboundMedia[];
  readonly at: number;
}

const dropped = (why: string): ParsedMessage => ({ kind: "dropped", why });

const MOST_MEDIA = 10;

/** A request's fields, whose signature was found to be right. Twilio does not say when the message was sent. */
export function parseRequest(fields: URLSearchParams, ours: Ours, now: number): ParsedMessage {
  const field = (name: string): string => fields.get(name) ?? "";
  // Otherwise one could be signed and the other be read.
  if (new Set(fields.keys()).size < [...fields].length) return dropped("it says something twice");
  const status = field("MessageStatus") || field("SmsStatus") || "received";
  if (status !== "received") return dropped(`it tells that one of our messages is ${status}`);
  if (field("OptOutType") !== "") return dropped("Twilio answered it: it is about opting in or out");
  if ([...fields.keys()].some((name) => name.startsWith("OtherRecipients"))) {
    return dropped("it was written to several people at once");
  }
  const count = Math.min(Number(field("NumMedia")) || 0, MOST_MEDIA);
  const media = Array.from({ length: count }, (_, index) =>
    asMedia(field(`MediaUrl${index}`), field(`MediaContentType${index}`)),
  );
  return toEvent(
    {
      sid: field("MessageSid"),
      accountSid: field("AccountSid"),
      from: field("From"),
      to: field("To"),
      serviceSid: field("MessagingServiceSid"),
      text: field("Body"),
      media: media.flatMap((one) => one ?? []),
      at: now,
    },
    ours,
  );
}

const Listed = once(() =>
  z.object({
    sid: z.string(),
    account_sid: z.string(),
    direction: z.string(),
    from: z.string().nullish(),
    to: z.string().nullish(),
    body: z.string().nullish(),
    messaging_service_sid: z.string().nullish(),
    num_media: z.string().nullish(),
    date_sent: z.string().nullish(),
    date_created: z.string().nullish(),
  }),
);
type ListedFields = z.output<ReturnType<typeof Listed>>;

export interface ListedMessage {
  readonly sid: string;
  readonly at: number;
  readonly hasMedia: boolean;
  parse(media: readonly InboundMedia[]): ParsedMessage;
}

/** One of a list of messages; undefined when nobody sent it to us. */
export function readListed(raw: unknown, ours: Ours): ListedMessage | undefined {
  const read = Listed().safeParse(raw).data;
  if (!read || read.direction !== "inbound") return undefined;
  const at = Date.parse(read.date_sent ?? read.date_created ?? "") || 0;
  return {
    sid: read.sid,
    at,
    hasMedia: Number(read.num_media) > 0,
    parse: (media) => toEvent(fromListed(read, media, at), ours),
  };
}

function fromListed(read: ListedFields, media: readonly InboundMedia[], at: number): Told {
  return {
    sid: read.sid,
    accountSid: read.account_sid,
    from: read.from ?? "",
    to: read.to ?? "",
    serviceSid: read.messaging_service_sid ?? "",
    text: read.body ?? "",
    media,
    at,
  };
}

/** Twilio answers these by itself; its YES is left out, because people say it to agents. */
const TWILIO_WORDS = /^(?:stop|stopall|unsubscribe|cancel|end|quit|revoke|optout|start|unstop|help|info)$/i;

function toEvent({ sid, accountSid, from, to, serviceSid, text, media, at }: Told, ours: Ours): ParsedMessage {
  if (!/^[A-Z]{2}[0-9a-f]{32}$/i.test(sid)) return dropped("it has no id");
  if (accountSid !== ours.accountSid) return dropped("it belongs to another account");
  const isToUs =
    to === ours.from || (ours.messagingServiceSid !== undefined && serviceSid === ours.messagingServiceSid);
  if (!isToUs) return dropped("it was sent to another number");
  const id = senderId(from);
  if (id === "") return dropped("its sender is not on the telephone network");
  if (id === ours.from) return dropped("it is one of ours");
  if (TWILIO_WORDS.test(text.trim())) return dropped("Twilio answers this word by itself");
  if (text.trim() === "" && media.length === 0) return dropped("there is nothing in it");
  return {
    kind: "event",
    event: {
      id: sid,
      messageId: sid,
      at,
      chat: { kind: "direct", id },
      sender: { id },
      replyTarget: { to: id },
      content: { kind: "message", text, ...(media.length > 0 ? { media } : {}), mentionsUs: false },
    },
  };
}

/** A file of an MMS; what only says how to lay out the others is left out. */
export function asMedia(url: string, mimeType: string): InboundMedia | undefined {
  if (url === "" || /^application\/smil\b/i.test(mimeType)) return undefined;
  return { kind: kindOf(mimeType), ref: url, ...(mimeType ? { mimeType } : {}) };
}

function kindOf(mimeType: string): MediaKind {
  const kind = mimeType.split("/", 1)[0]?.toLowerCase();
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "file";
}
