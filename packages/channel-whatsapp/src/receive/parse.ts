// Parses a message as WhatsApp sends it into an event of the gateway. Pure; what is of no interest is dropped with a reason.
import type { proto, WAMessage } from "baileys";
import type { Chat, ChannelContent, ChannelEvent, ChannelSender, Quoted } from "@chela/sdk";
import { isHidden, personId, plainJid, serverOf } from "../address.ts";
import { readQuotedText, readSaid } from "./parse-content.ts";
import { unwrap } from "./unwrap.ts";

/** Who we are: our addresses, by number and by hidden id. */
export interface Ourselves {
  readonly jids: readonly string[];
  readonly takesSelfChat: boolean;
}

export type ParsedMessage =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

const dropped = (why: string): ParsedMessage => ({ kind: "dropped", why });

// WhatsApp's own numbers for what a protocol message is about.
const REVOKE = 0;
const EDIT = 14;

export function parseMessage(raw: WAMessage, us: Ourselves): ParsedMessage {
  const { id } = raw.key;
  if (!id) return dropped("it has no id");
  const place = placeOf(raw, us);
  if (typeof place === "string") return dropped(place);
  const content = contentOf(unwrap(raw.message), raw, us);
  if (typeof content === "string") return dropped(content);
  const { chat, sender } = place;
  return {
    kind: "event",
    event: {
      id: [plainJid(raw.key.remoteJid), plainJid(raw.key.participant), id].join("/"),
      messageId: id,
      at: Number(raw.messageTimestamp ?? 0) * 1000,
      chat,
      sender,
      replyTarget: { to: chat.id },
      content,
    },
  };
}

interface MessageOrigin {
  readonly chat: Chat;
  readonly sender: ChannelSender;
}

/** Where it was said and by whom, or why that is none of our business. */
function placeOf(raw: WAMessage, us: Ourselves): MessageOrigin | string {
  const { remoteJid, remoteJidAlt, participant, participantAlt, fromMe } = raw.key;
  const name = raw.pushName?.trim();
  switch (serverOf(remoteJid)) {
    case "g.us": {
      if (fromMe) return "it is our own";
      return {
        chat: { kind: "group", id: plainJid(remoteJid) },
        sender: senderOf([participant, participantAlt], name),
      };
    }
    case "s.whatsapp.net":
    case "c.us":
    case "hosted":
    case "lid":
    case "hosted.lid": {
      if (fromMe && !(us.takesSelfChat && us.jids.includes(plainJid(remoteJid)))) return "it is our own";
      // In a chat with ourselves the other address in the key is that of a device, and ours are known anyway.
      return direct(senderOf(fromMe ? us.jids : [remoteJid, remoteJidAlt], name));
    }
    case "broadcast": {
      if (fromMe) return "it is our own";
      if (plainJid(remoteJid) === "status@broadcast") return "it is a status";
      // A message to many is seen by each of them in the chat with its sender.
      return direct(senderOf([participant, participantAlt], name));
    }
    default:
      return "it is no chat with people";
  }
}

function direct(sender: ChannelSender): MessageOrigin | string {
  return sender.id === "" ? "its sender has no id" : { chat: { kind: "direct", id: sender.id }, sender };
}

/** The number is what people know each other by; the hidden id is used where there is none. */
function senderOf(jids: ReadonlyArray<string | null | undefined>, name: string | undefined): ChannelSender {
  const ids = [
    ...new Set([...jids].sort((one, other) => Number(isHidden(one)) - Number(isHidden(other))).map(personId)),
  ];
  const [id = "", ...otherIds] = ids.filter((known) => known !== "");
  return { id, ...(otherIds.length > 0 ? { otherIds } : {}), ...(name ? { name } : {}) };
}

function contentOf(message: proto.IMessage, raw: WAMessage, us: Ourselves): ChannelContent | string {
  const { reactionMessage, protocolMessage } = message;
  if (reactionMessage?.key?.id) {
    const { key, text } = reactionMessage;
    const emoji = text ?? "";
    return { kind: "reaction", emoji, isRemoved: emoji === "", on: key.id ?? "", onOurs: key.fromMe === true };
  }
  if (protocolMessage) return protocolContent(protocolMessage);
  const found = readSaid(message);
  if (!found) return raw.messageStubType ? "it is a note of the platform" : "there is nothing in it we can show";
  const { text, media, context } = found;
  if (text.trim() === "" && media.length === 0) return "it is empty";
  const mentioned = (context?.mentionedJid ?? []).map(plainJid);
  const replyTo = quotedOf(context, us);
  return {
    kind: "message",
    text,
    ...(media.length > 0 ? { media } : {}),
    mentionsUs: mentioned.some((jid) => us.jids.includes(jid)),
    ...(replyTo ? { replyTo } : {}),
    ...(context?.isForwarded ? { forwardedFrom: "somebody on WhatsApp" } : {}),
  };
}

function protocolContent({ type, key, editedMessage }: proto.Message.IProtocolMessage): ChannelContent | string {
  if (!key?.id) return "it is a note of the platform";
  if (type === EDIT) {
    const text = readSaid(unwrap(editedMessage))?.text;
    return text ? { kind: "edit", of: key.id, text } : "it is an edit without text";
  }
  if (type === REVOKE) return { kind: "notice", text: `A message was deleted (${key.id}).` };
  return "it is a note of the platform";
}

function quotedOf(context: proto.IContextInfo | undefined, us: Ourselves): Quoted | undefined {
  if (!context?.stanzaId) return undefined;
  const author = plainJid(context.participant);
  const sender = senderOf([context.participant], undefined);
  const text = readQuotedText(context.quotedMessage);
  return {
    id: context.stanzaId,
    isOurs: us.jids.includes(author),
    ...(sender.id ? { sender } : {}),
    ...(text ? { text } : {}),
  };
}
