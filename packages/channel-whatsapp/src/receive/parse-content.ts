// Parses a message: its text, what is attached, whom it names, what it answers.
import type { proto } from "baileys";
import type { InboundMedia } from "@chela/sdk";
import { mediaOf } from "../media-ref.ts";
import { unwrap } from "./unwrap.ts";

export interface MessageContent {
  readonly text: string;
  readonly media: readonly InboundMedia[];
  readonly context?: proto.IContextInfo;
}

/** Undefined when there is nothing in it that a person would see. */
export function readSaid(message: proto.IMessage): MessageContent | undefined {
  const { conversation, extendedTextMessage } = message;
  if (conversation) return { text: conversation, media: [] };
  if (extendedTextMessage?.text) return said(extendedTextMessage.text, extendedTextMessage.contextInfo);
  return readAttached(message) ?? readShared(message) ?? readChosen(message);
}

function said(text: string, context: proto.IContextInfo | null | undefined, media?: InboundMedia): MessageContent {
  return { text, media: media ? [media] : [], ...(context ? { context } : {}) };
}

function readAttached(message: proto.IMessage): MessageContent | undefined {
  const { imageMessage, audioMessage, documentMessage, stickerMessage } = message;
  const video = message.videoMessage ?? message.ptvMessage;
  if (imageMessage) {
    return said(imageMessage.caption ?? "", imageMessage.contextInfo, mediaOf("image", "Image", imageMessage));
  }
  if (video) return said(video.caption ?? "", video.contextInfo, mediaOf("video", "Video", video));
  if (audioMessage) {
    const media = mediaOf(audioMessage.ptt ? "voice" : "audio", "Audio", audioMessage);
    return said("", audioMessage.contextInfo, media);
  }
  if (documentMessage) {
    const { caption, contextInfo } = documentMessage;
    return said(caption ?? "", contextInfo, mediaOf("file", "Document", documentMessage));
  }
  if (stickerMessage) return said("", stickerMessage.contextInfo, mediaOf("sticker", "Image", stickerMessage));
  return undefined;
}

/** Contacts, places and polls have no form of their own here: they are put into words. */
function readShared(message: proto.IMessage): MessageContent | undefined {
  const { contactMessage, contactsArrayMessage, locationMessage, liveLocationMessage } = message;
  if (contactMessage) return said(describeContact(contactMessage), contactMessage.contextInfo);
  if (contactsArrayMessage) {
    const lines = (contactsArrayMessage.contacts ?? []).map(describeContact);
    return said(lines.join("\n"), contactsArrayMessage.contextInfo);
  }
  if (locationMessage) {
    const { name, address, contextInfo } = locationMessage;
    return said(describePlace(locationMessage, name, address), contextInfo);
  }
  if (liveLocationMessage) {
    const place = describePlace(liveLocationMessage, liveLocationMessage.caption);
    return said(place, liveLocationMessage.contextInfo);
  }
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3;
  if (!poll) return undefined;
  const options = (poll.options ?? []).map(({ optionName }) => `- ${optionName ?? ""}`);
  return said([`[poll] ${poll.name ?? ""}`, ...options].join("\n"), poll.contextInfo);
}

/** What somebody picked from a list or a row of buttons reads as if they had written it. */
function readChosen(message: proto.IMessage): MessageContent | undefined {
  const { buttonsResponseMessage, templateButtonReplyMessage, listResponseMessage } = message;
  const chosen =
    buttonsResponseMessage?.selectedDisplayText ??
    templateButtonReplyMessage?.selectedDisplayText ??
    listResponseMessage?.title;
  const context = (buttonsResponseMessage ?? templateButtonReplyMessage ?? listResponseMessage)?.contextInfo;
  return chosen ? said(chosen, context) : undefined;
}

function describeContact({ displayName, vcard }: proto.Message.IContactMessage): string {
  const numbers = [...(vcard ?? "").matchAll(/^[\w.]*TEL[^:\n]*:(.+)$/gim)].map(([, number]) => number?.trim());
  return `[contact] ${[displayName?.trim(), ...numbers].filter(Boolean).join(", ")}`;
}

interface Position {
  readonly degreesLatitude?: number | null;
  readonly degreesLongitude?: number | null;
}

function describePlace(position: Position, ...words: ReadonlyArray<string | null | undefined>): string {
  const { degreesLatitude, degreesLongitude } = position;
  const known = words.map((word) => word?.trim()).filter(Boolean);
  return `[location] ${[...known, `${degreesLatitude ?? 0}, ${degreesLongitude ?? 0}`].join(", ")}`;
}

/** The words of a message somebody answers; attachments are only named. */
export function readQuotedText(message: proto.IMessage | null | undefined): string | undefined {
  const found = readSaid(unwrap(message));
  return found?.text || found?.media.map(({ kind }) => `[${kind}]`).join(" ") || undefined;
}
